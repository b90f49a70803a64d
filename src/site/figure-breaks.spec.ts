import { withoutFigureBreaks } from './figure-breaks';

const CENTRE = '<figure class="centre"><img src="http://api.test/p/1.jpg" alt=""></figure>';
const LEFT =
  '<figure class="left"><img src="http://api.test/p/1.jpg" alt="a"><figcaption>a\nb</figcaption></figure>';

it.each([
  ['breaks beside a picture are not shown', `a<br>${CENTRE}<br><br>b`, `a${CENTRE}b`],
  ['an empty line before a picture is shown', `a<br><br>${CENTRE}b`, `a<br>${CENTRE}b`],
  ['breaks away from a picture are shown', `a<br>b${CENTRE}c<br>d`, `a<br>b${CENTRE}c<br>d`],
  ['text beside a floating picture has its break before', `a<br>${LEFT}b`, `a<br>${LEFT}b`],
  ['text beside a floating picture has its break after', `a${LEFT}<br><br>b`, `a<br>${LEFT}b`],
  ['text around a floating picture stays in its line', `a${LEFT}b`, `a${LEFT}b`],
  ['pictures in a row', `${CENTRE}<br>${LEFT}<br>${LEFT}<br>b`, `${CENTRE}<br>${LEFT}<br>${LEFT}b`],
])('%s', (_, markup, expected) => {
  expect(withoutFigureBreaks(markup)).toBe(expected);
});
