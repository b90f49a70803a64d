/** A picture of a note with the line breaks beside it; see `noteHtml`. */
const FIGURE =
  /((?:<br>)?)(<figure class="([^"]*)">(?:[^<]|<(?!\/figure>))*<\/figure>)((?:<br>){0,2})/g;

/**
 * Removes the line breaks beside the pictures of a note, which have a margin instead. One remains
 * beside a picture that floats: the text before and after it would be in the same line.
 *
 * @param markup HTML of `noteHtml`, which escapes every `<` of the text and closes each figure
 */
export const withoutFigureBreaks = (markup: string): string =>
  markup.replace(FIGURE, (_, before: string, figure: string, layout: string, after: string) => {
    const floats = layout === 'left' || layout === 'right';
    return floats && before + after !== '' ? `<br>${figure}` : figure;
  });
