import { Controller, Get, Header, Req, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { ApiError } from '../../api/errors/error-codes';
import { type ApiRequest } from '../../api/http/request-context';
import { AfterIdParam, NameParam, Public, RespondsPage } from '../../api/routing/route';
import { Settings } from '../../config/settings';
import { PATHS } from '../../web/layout';
import { sendCacheable } from '../../web/page-response';
import { SitePageGuard } from '../site-page.guard';
import { SitePages } from '../site-pages.service';
import { SITEMAP_MAX_AGE_SECONDS, SitemapService } from './sitemap.service';

const XML_TYPE = 'application/xml; charset=utf-8';

/**
 * Files for search engines: site maps, robots.txt and security.txt. The site maps count as pages;
 * the files that lead to them do not, so that a crawler within its limit always reads them.
 */
@Controller()
export class SitemapController {
  constructor(
    private readonly sitemaps: SitemapService,
    private readonly settings: Settings,
    private readonly site: SitePages,
  ) {}

  /** The index of the site maps. Each of them begins after the id in its address. */
  @Get('sitemap.xml')
  @UseGuards(SitePageGuard)
  @Public()
  @RespondsPage()
  async index(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send(request, response, await this.sitemaps.getIndex());
  }

  @Get('sitemap/:name/:id.xml')
  @UseGuards(SitePageGuard)
  @Public()
  @RespondsPage()
  async map(
    @Req() request: ApiRequest,
    @Res() response: Response,
    @NameParam('name') kind: string,
    @AfterIdParam('id') after: number,
  ): Promise<void> {
    await this.sitemaps.withSitemap(request, kind, after, (text) =>
      this.send(request, response, text),
    );
  }

  private async send(request: ApiRequest, response: Response, text: string): Promise<void> {
    response.setHeader('Cache-Control', `public, max-age=${SITEMAP_MAX_AGE_SECONDS}`);
    await sendCacheable(request, response, text, XML_TYPE);
  }

  @Get('robots.txt')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  robots(): string {
    const closed = ['/admin', '/service/', '/v2/', PATHS.search];
    return [
      'User-agent: *',
      ...closed.map((path) => `Disallow: ${path}`),
      `Allow: ${PATHS.home}`,
      '',
      `Sitemap: ${this.site.absolute('/sitemap.xml')}`,
      '',
    ].join('\n');
  }

  /** Where to report vulnerabilities (RFC 9116). @throws ApiError 1001 without `CONTACT` */
  @Get('.well-known/security.txt')
  @Public()
  @RespondsPage()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  security(): string {
    const { CONTACT: contact } = this.settings;
    if (contact === '') throw new ApiError('uriNotFound');
    const isMail = contact.includes('@') && !/^[a-z]+:/i.test(contact);
    // RFC 9116 requires an expiry. Each response moves it, so that it is always half a year away.
    const expires = new Date(Date.now() + 180 * 24 * 3600 * 1000).toISOString().slice(0, 10);
    return [
      `Contact: ${isMail ? `mailto:${contact}` : contact}`,
      `Expires: ${expires}T00:00:00Z`,
      'Preferred-Languages: en, zh',
      `Canonical: ${this.site.absolute('/.well-known/security.txt')}`,
      '',
    ].join('\n');
  }
}
