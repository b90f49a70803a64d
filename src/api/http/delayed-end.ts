import { type ServerResponse } from 'node:http';

/** How the end of a response is delayed. */
export interface DelayedEnd {
  /** Whether the handler has ended the response itself. */
  readonly hasEnded: boolean;
  /** Ends of the response are not delayed any more. */
  release(): void;
}

/**
 * Delays the end of a response, for handlers that send the response themselves: the client sees the
 * response when `before` is done.
 *
 * @param before never fails
 */
export function delayEnd(response: ServerResponse, before: () => Promise<unknown>): DelayedEnd {
  const end = response.end.bind(response);
  let hasEnded = false;
  const release = (): void => {
    response.end = end;
  };
  response.end = ((...values: Parameters<typeof end>) => {
    hasEnded = true;
    release();
    void before().then(() => end(...values));
    return response;
  }) as typeof end;
  return {
    get hasEnded() {
      return hasEnded;
    },
    release,
  };
}
