import { field } from '../accounts/browser-sessions.service';
import { type ApiRequest } from '../api/http/request-context';
import { type ApplicationDetails } from '../oauth/applications.repository';
import { type ApplicationForm } from './developers.service';

/** The settings in the body of a request. */
export const formOf = (request: ApiRequest): ApplicationForm => ({
  name: field(request, 'name'),
  redirectUris: field(request, 'redirect_uris'),
  isPublic: field(request, 'kind') === 'public',
  homepage: field(request, 'homepage'),
  description: field(request, 'description'),
});

/** The settings of an application. */
export const formOfApplication = (application: ApplicationDetails): ApplicationForm => ({
  name: application.name,
  redirectUris: application.redirect_uris.join('\n'),
  isPublic: application.public,
  homepage: application.homepage,
  description: application.description,
});
