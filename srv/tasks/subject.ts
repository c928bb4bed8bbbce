// What a task is called.
import { type Language, message } from '../texts.ts'
import type { Task } from './task.ts'

export type Subject = Pick<
  Task,
  'sku' | 'location' | 'supplier' | 'fromLocation' | 'lines' | 'quantity'
>

const LONGEST = 255

/** One line, 255 characters at most. */
export function subjectOf(task: Subject, language: Language): string {
  const { sku, location, supplier, fromLocation: from, lines } = task
  // Quantities in plain digits: task lists sort and search subjects.
  const quantity = String(task.quantity)
  const say = (key: string, places: object) => message(key, { ...places }, language)
  const long = sku
    ? from
      ? say('task_transfer', { quantity, sku, from, location })
      : say(supplier ? 'task_order_from' : 'task_order', { quantity, sku, location, supplier })
    : from
      ? say(lines === 1 ? 'task_transfer_line' : 'task_transfer_lines', { lines, from })
      : say(lines === 1 ? 'task_order_line' : 'task_order_lines', {
          ...{ lines, supplier: supplier ?? message('task_unknown_supplier', {}, language) },
        })
  return [...long].length > LONGEST ? `${[...long].slice(0, LONGEST - 1).join('')}…` : long
}
