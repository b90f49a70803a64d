import { openEmbedded, type EmbeddedOptions, type EmbeddedServer } from './embedded';

/** The embedded server, which may still be starting. A promise alone would be awaited with it. */
export interface LaunchedServer {
  /** The server, once it accepts connections; rejected with the errors of {@link openEmbedded}. */
  readonly opened: Promise<EmbeddedServer>;
}

/**
 * Begins {@link openEmbedded}, and waits only until the process of PostgreSQL exists, or the server
 * is open, or neither is possible. The caller can do other work while PostgreSQL starts.
 */
export async function launchEmbedded(
  options: Omit<EmbeddedOptions, 'onLaunch'>,
): Promise<LaunchedServer> {
  let launched: () => void = () => undefined;
  const launch = new Promise<void>((resolve) => {
    launched = resolve;
  });
  const opened = openEmbedded({ ...options, onLaunch: launched });
  const ended = opened.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([launch, ended]);
  return { opened };
}
