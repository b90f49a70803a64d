import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/** Converts an integer from the environment; other text stays text and fails the validation. */
export const IntegerSetting = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** Converts `true` or `false` from the environment; other text fails the validation. */
export const BooleanSetting = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );

/** Highest value of a rate limit. */
export const HIGHEST_LIMIT = 2_000_000_000;

/** A rate limit (D16). */
export const Limit = (): PropertyDecorator => (target, name) => {
  for (const check of [IntegerSetting(), IsInt(), Min(0), Max(HIGHEST_LIMIT)]) check(target, name);
};

/** Removes a trailing slash from an address, so that paths can be appended to it. */
export const Origin = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.replace(/\/+$/, '') : value,
  );

/** An address without credentials, query and fragment. */
export const HTTP_ADDRESS = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/;
