/** Profiles in which nothing but this machine is served. Those of databases say nothing about safety. */
const HARMLESS = ['development', 'test', 'sqlite', 'postgres', 'hana']

/** Names that are neither development nor test, such as `staging` or `Production`. */
export const harmfulProfiles = (names: readonly string[]) =>
  names.filter((name) => !HARMLESS.includes(name))
