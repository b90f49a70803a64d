/** A place on Earth, in decimal degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A circle around a place; `radius` in kilometres. */
export interface Circle extends Place {
  readonly radius: number;
}

/** Mean radius in kilometres. */
const EARTH = 6371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/**
 * `((east, north), (west, south))`, the text form of a PostgreSQL `box` of longitudes and
 * latitudes.
 */
const box = (west: number, east: number, south: number, north: number): string =>
  `((${east},${north}),(${west},${south}))`;

/**
 * One or two boxes that contain a circle: two when it crosses the antimeridian, one around the
 * whole Earth when it contains a pole.
 */
export function boxesAround({ lat, lon, radius }: Circle): readonly [string, string] {
  const angle = radius / EARTH;
  const south = Math.max(-90, lat - degrees(angle));
  const north = Math.min(90, lat + degrees(angle));
  const reach = Math.sin(angle) / Math.cos(radians(lat));
  const holdsPole = Math.abs(lat) + degrees(angle) >= 90;
  if (holdsPole || reach >= 1) {
    const all = box(-180, 180, south, north);
    return [all, all];
  }
  const width = degrees(Math.asin(reach));
  const [west, east] = [lon - width, lon + width];
  if (west < -180) return [box(-180, east, south, north), box(west + 360, 180, south, north)];
  if (east > 180) return [box(west, 180, south, north), box(-180, east - 360, south, north)];
  const all = box(west, east, south, north);
  return [all, all];
}

/** Parameters of {@link within}. */
export interface CircleParameters {
  readonly lat: string;
  readonly lon: string;
  readonly radius: string;
  readonly box1: string;
  readonly box2: string;
}

/** Differences below this number of degrees, 0.1 mm, count as 0. */
const MIN_DIFFERENCE = 1e-9;

/**
 * SQL of the square of the sine of half a difference in degrees. PostgreSQL raises an error when
 * the result of an operation is too small for a `float8`, so tiny differences are not squared.
 */
const haversine = (difference: string): string => `CASE WHEN abs(${difference}) < ${MIN_DIFFERENCE}
      THEN 0 ELSE power(sind((${difference}) / 2), 2) END`;

/** SQL condition: event `e` is inside a circle. The boxes use the index; the distance is exact. */
export const within = ({ lat, lon, radius, box1, box2 }: CircleParameters): string => `
  e.lat IS NOT NULL
  AND (point(e.lon, e.lat) <@ ${box1}::box OR point(e.lon, e.lat) <@ ${box2}::box)
  AND ${2 * EARTH} * asin(least(1, sqrt(
    ${haversine(`e.lat - ${lat}::float8`)}
    + cosd(e.lat) * cosd(${lat}::float8) * ${haversine(`e.lon - ${lon}::float8`)}
  ))) <= ${radius}::float8`;
