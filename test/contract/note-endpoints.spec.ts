import { type Route } from '../../src/api/routing/route-table';
import { NOTE_ENDPOINTS, PICTURES_AT_ONCE, type NoteEndpoint } from './note-endpoints';
import { walkService } from './routes';

let routes: readonly Route[];
beforeAll(async () => {
  routes = (await walkService()).routes.filter(({ extension }) => !extension);
});

const plainPath = (path: string): string => path.replace(/:\w+/g, ':id');
const routeOf = ({ method, path }: NoteEndpoint): Route => {
  const found = routes.filter((one) => one.method === method && plainPath(one.path) === path);
  expect(found).toHaveLength(1);
  return found[0] as Route;
};

describe('the note area (specification section 4.2)', () => {
  it('has the endpoints of the contract table', () => {
    const declared = routes.filter(({ area }) => /^notes?$/.test(area));
    const keys = declared.map(({ method, path }) => `${method} ${plainPath(path)}`);
    expect(keys.sort()).toEqual(
      NOTE_ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it.each(NOTE_ENDPOINTS)('$method $path needs a user and the scope of notes', (row) => {
    const wanted = { scope: 'community_basic_note', login: true, tiers: undefined, fields: false };
    expect(routeOf(row)).toMatchObject(wanted);
  });

  it.each(NOTE_ENDPOINTS)('$method $path returns $status with $shape $member', (row) => {
    const { response, status } = routeOf(row);
    expect(status).toBe(row.status);
    const kind = row.member ? 'list' : row.shape ? 'one' : 'json';
    expect(response).toMatchObject({
      kind,
      ...(row.shape ? { resource: { name: row.shape } } : {}),
      ...(row.member ? { member: row.member } : {}),
    });
  });

  it('has the author in lists of notes, and nothing in lists of replies (D29, D30)', () => {
    const extras = NOTE_ENDPOINTS.filter(({ member }) => member).map((row) => {
      const { response } = routeOf(row);
      const extra = response.kind === 'list' ? Object.entries(response.after) : [];
      return extra.map(([name, type]) => [
        name,
        type.schema((resource) => ({ is: resource.name })),
      ]);
    });
    expect(extras).toEqual([[['user', expect.objectContaining({ is: 'SimpleUser' })]], []]);
  });

  it.each(NOTE_ENDPOINTS)('$method $path has exactly the parameters of the table', (row) => {
    const declaredParameters = routeOf(row).parameters.filter(
      (parameter) => parameter.in !== 'path',
    );
    const names = declaredParameters.map(({ name }) => name);
    const paging = row.member ? ['start', 'count'] : [];
    const ofPictures = row.pictures ? ['layout_1', 'desc_1'] : [];
    expect(names.sort()).toEqual([...(row.parameters ?? []), ...paging, ...ofPictures].sort());
    const required = declaredParameters
      .filter((parameter) => parameter.required)
      .map(({ name }) => name);
    expect(required.sort()).toEqual([...(row.required ?? [])].sort());
  });

  it.each(NOTE_ENDPOINTS)(
    '$method $path accepts up to the documented number of pictures',
    (row) => {
      expect(routeOf(row).uploads?.max).toBe(row.pictures ? PICTURES_AT_ONCE : undefined);
    },
  );

  it.each(NOTE_ENDPOINTS)('$method $path restricts wildcards to digits (section 1)', (row) => {
    const { numeric, named } = routeOf(row);
    expect(numeric).toHaveLength(row.path.split(':id').length - 1);
    expect(named).toEqual([]);
  });
});
