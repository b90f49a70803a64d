// The package's own types are of its ES modules alone, which this program does not load.
declare module 'altcha-lib/v1' {
  export function createChallenge(options: {
    algorithm: 'SHA-256';
    hmacKey: string;
    maxnumber?: number;
    expires?: Date;
    /** Go into the salt, so the signature covers them. */
    params?: Record<string, string>;
  }): Promise<{
    algorithm: string;
    /** Hexadecimal, as the signature is. */
    challenge: string;
    /** With the second of expiry as a parameter, and `&` at its end. */
    salt: string;
    signature: string;
  }>;

  /** The parameters in the salt of a challenge. */
  export function extractParams(payload: {
    salt: string;
  }): Readonly<Record<string, string | undefined>>;

  /** Whether a solution is valid and its challenge is signed with the key. */
  export function verifySolution(
    payload: {
      algorithm: 'SHA-256';
      challenge: string;
      number: number;
      salt: string;
      signature: string;
    },
    hmacKey: string,
    checkExpires: boolean,
  ): Promise<boolean>;
}
