// Building blocks of adapters' options. The command line passes every value as text.
import { z } from 'zod'
import { isTimeZone, TIME_ZONE_RULE } from './time-zone.ts'

export const wholeNumber = (least: number, most: number) =>
  z.coerce.number().int().min(least).max(most)

export const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false']).transform((text) => text === 'true'),
])

/** How demand is booked, where that is not to be found from the bookings. */
export const bookingOption = z.enum(['daily', 'weekly', 'monthly']).optional()

/** Whether what is sent to own locations on an order is demand of the one that sends it. */
export const transferDemandOption = flag.default(true)

/** In which the days of the locations begin and end for which nothing else says it, and schedules are meant. */
export const timeZoneOption = z.string().refine(isTimeZone, TIME_ZONE_RULE).optional()

/** Options of every ERP that is read over HTTP. */
export const httpOptions = {
  /** Concurrent requests. */
  concurrency: wholeNumber(1, 32).optional(),
  /** PEM file of a certification authority that is trusted in addition to the usual ones. */
  ca_file: z.string().min(1).optional(),
  /** Longest time without data from the ERP. */
  timeout_seconds: wholeNumber(1, 600).default(120),
}
