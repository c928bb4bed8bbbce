/** `YYYY-MM-DD`; the generated type would refuse every computed one. */
type Day = `${number}${number}${number}${number}-${number}${number}-${number}${number}`

/** A type of the model as a service answers it: every element is there, null where it has no value. */
export type Answered<T> = T extends Day
  ? string
  : T extends string | number | boolean | null
    ? T
    : T extends (infer Item)[]
      ? Answered<Item>[]
      : T extends object
        ? { [Name in keyof T]-?: Answered<Exclude<T[Name], undefined>> }
        : T
