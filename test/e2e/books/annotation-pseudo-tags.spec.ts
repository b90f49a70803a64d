import { Factories } from '../../factories/factories';
import { startHarness, type Harness } from '../../harness';
import { writer, type Writer } from './writes';

const QUOTE = '<原文开始>夜凉如水。</原文结束>';
const CODE = '<代码开始 lang="python">\nprint("<b>")\n</代码结束>';
const CONTENT = `作者写道：\n${QUOTE}我的想法：${CODE}`;

describe('quotations and code in annotations (D117)', () => {
  let harness: Harness;
  let user: Writer;
  let path: string;
  beforeAll(async () => {
    harness = await startHarness();
    const make = new Factories(harness.database);
    user = await writer(harness, (await make.aUser()).id);
    path = `/v2/book/${await make.aBook()}/annotations`;
  });
  afterAll(() => harness.close());

  const annotate = async (content: string): Promise<string> => {
    const { status, body } = await user.post(path, { content, chapter: '一' });
    expect(status).toBe(201);
    return `/v2/book/annotation/${body.id}`;
  };

  it('<原文开始>…</原文结束> and <代码开始 lang="python">…</代码结束> become HTML with format=html', async () => {
    const { body } = await harness.call(`${await annotate(CONTENT)}?format=html`);
    expect(body.content).toBe(
      '作者写道：<br><blockquote>夜凉如水。</blockquote>我的想法：' +
        '<pre><code class="language-python">print(&quot;&lt;b&gt;&quot;)</code></pre>',
    );
  });

  it('abstract omits the pseudo-tags', async () => {
    const { body } = await harness.call(await annotate(CONTENT));
    expect(body.abstract).toBe('作者写道： 夜凉如水。 我的想法： print("<b>")');
  });

  it('content that a client reads and sends back is unchanged', async () => {
    const single = await annotate(CONTENT);
    const { content } = (await harness.call(`${single}?format=text`)).body;
    expect(content).toBe(CONTENT);
    const { status, body } = await user.put(single, { content, chapter: '一' });
    expect([status, body.content]).toEqual([202, CONTENT]);
    expect((await harness.call(single)).body.content).toBe(CONTENT);
  });

  it('a pseudo-tag without an end is text', async () => {
    const content = '<原文开始>没有结束的引文，一直到最后';
    const single = await annotate(content);
    expect((await harness.call(single)).body.abstract).toBe(content);
    const { body } = await harness.call(`${single}?format=html`);
    expect(body.content).toBe(content.replace('<', '&lt;').replace('>', '&gt;'));
  });
});
