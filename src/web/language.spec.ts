import { type Request } from 'express';
import { messagesFor } from './language';
import { ENGLISH } from './messages.en';
import { CHINESE } from './messages.zh';

const acceptsLanguages = jest.fn(() => 'zh');
beforeEach(() => acceptsLanguages.mockClear());

const request = (header: string): Request =>
  ({ headers: { 'accept-language': header }, acceptsLanguages }) as unknown as Request;

it('chooses the language that the browser likes best', () => {
  expect(messagesFor(request('zh-CN,zh;q=0.9'))).toBe(CHINESE);
});

it('does not read an Accept-Language that is longer than any browser sends', () => {
  expect(messagesFor(request('zh,'.repeat(20_000)))).toBe(ENGLISH);
  expect(acceptsLanguages).not.toHaveBeenCalled();
});
