/** @returns a function for the seconds since this call, rounded to milliseconds */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => Math.round(performance.now() - began) / 1000;
}
