/** `YYYY-MM-DD`; the generated type would refuse every computed one. */
type Day = `${number}${number}${number}${number}-${number}${number}-${number}${number}`

/** A type of the model as a service answers it: every element is there, null where it has no value. */
export type ServiceRow<T> = T extends Day
  ? string
  : T extends string | number | boolean | null
    ? T
    : T extends (infer Item)[]
      ? ServiceRow<Item>[]
      : T extends object
        ? { [Name in keyof T]-?: ServiceRow<Exclude<T[Name], undefined>> }
        : T
