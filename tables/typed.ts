// Cells of a workbook that hold a number or a day: as text they would be read by the formats of the texts beside them.

/** Stands before the text of such a cell; `trim` takes it away. */
const MARK = '\ufeff'

const MARK_CODE = MARK.charCodeAt(0)
const DAY = /^\d{4}-\d\d-\d\d$/

/** @param value digits with a decimal point, or a day as `YYYY-MM-DD` */
export const typedCell = (value: string): string => MARK + value

export const isTyped = (cell: string): boolean => cell.charCodeAt(0) === MARK_CODE

/** The day of a typed cell; null where it holds a number. */
export const typedDay = (cell: string): string | null => {
  const value = cell.trim()
  return DAY.test(value) ? value : null
}

/** The number of a typed cell; null where it holds a day. */
export const typedNumber = (cell: string): string | null =>
  typedDay(cell) === null ? cell.trim() : null
