/** The calendar day in UTC, `YYYY-MM-DD`. */
export const today = () => new Date().toISOString().slice(0, 10)

export const DAY_MS = 86_400_000
