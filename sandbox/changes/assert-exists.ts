/** @throws Error where a change names something that does not exist */
export function assertExists<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The sandbox has no ${what}`)
  return value
}
