/** The response of the thread to the source of a formula. */
export interface RenderedFormula {
  /** MathML; empty for a formula that stays source text. */
  readonly math: string;
  /** Milliseconds of rendering. */
  readonly ms: number;
}
