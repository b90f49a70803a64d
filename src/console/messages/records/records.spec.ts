import { RECORD_MEMBERS, type MemberDescriptions } from '../../../admin/records/record-members';
import { RECORDS, type MemberText, type RecordMessages } from '.';

const textsOf = ({ members }: RecordMessages): [member: string, ...MemberText][] =>
  Object.entries(members as Record<string, Record<string, MemberText>>).flatMap(([type, texts]) =>
    Object.entries(texts).map(([name, text]): [string, ...MemberText] => [
      `${type}.${name}`,
      ...text,
    ]),
  );

const NAMES = Object.entries(RECORD_MEMBERS).flatMap(([type, members]) =>
  Object.keys(members).map((name) => `${type}.${name}`),
);
const LANGUAGES = Object.entries(RECORDS);

it.each(LANGUAGES)('every member has a label and a sentence in %s', (_language, messages) => {
  const texts = textsOf(messages);
  expect(texts.map(([member]) => member)).toEqual(NAMES);
  const bad = texts.filter(([member, label, help]) => {
    const [, name = ''] = member.split('.');
    return label === '' || label === name || !/\p{L}[^`_]*[.。]$/u.test(help) || /[`_]/.test(label);
  });
  expect(bad).toEqual([]);
});

it.each(LANGUAGES.slice(1))('sentences, parts and values are translated to %s', (_, messages) => {
  const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);
  const { parts, values, formats } = messages;
  const others = [parts, values, formats].flatMap((texts) => Object.values<string>(texts));
  const sentences = textsOf(messages).map(([, , help]) => help);
  expect([...sentences, ...others].filter((text) => !isChinese(text) && !/\d/.test(text))).toEqual(
    [],
  );
});

it('every part and every value of a choice has a text', () => {
  const { parts, values } = RECORDS.en;
  const described = Object.values(RECORD_MEMBERS as Record<string, MemberDescriptions>)
    .flatMap((members) => Object.values(members))
    .flatMap(({ choices = [], parts: named = {} }) => [...choices, ...Object.keys(named)]);
  const texts = Object.keys({ ...values, ...parts });
  expect(described.filter((name) => !texts.includes(name))).toEqual([]);
});
