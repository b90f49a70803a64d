import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/** A whole number as written in the environment; anything else stays text and fails the check. */
export const IntegerSetting = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** `true` or `false` as written in the environment; anything else fails the check. */
export const BooleanSetting = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );

/** Calls that a limit can be set to at most. */
export const HIGHEST_LIMIT = 2_000_000_000;

/** A limit on calls (D16). */
export const Limit = (): PropertyDecorator => (target, name) => {
  for (const check of [IntegerSetting(), IsInt(), Min(0), Max(HIGHEST_LIMIT)]) check(target, name);
};

/** An address without its trailing slash, so that paths can be appended to it. */
export const Origin = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.replace(/\/+$/, '') : value,
  );

/** An address without query and fragment. */
export const HTTP_ADDRESS = /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/;
