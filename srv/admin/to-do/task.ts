export interface Task {
  /** Of its sentence, `todo_<key>` in _i18n. */
  key: string
  places: Record<string, unknown>
  /** 1 nothing works, 2 something does not, 5 to be known. */
  criticality: 1 | 2 | 5
  /** Of what the link says, `todo_cure_<cure>` in _i18n. */
  cure: string
  /** Where it is done in the app. */
  link: string
}

/** At most so many of a kind are named one by one. */
export const MOST = 10
