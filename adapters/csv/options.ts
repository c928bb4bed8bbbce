import { z } from 'zod'
import { DATE_FORMATS } from '../../tables/dates.ts'
import { bookingOption, flag, timeZoneOption, wholeNumber } from '../options.ts'

/** `SHA256:…`, as `ssh-keygen -l` prints it; several where the server has several keys. */
const FINGERPRINTS = /^SHA256:[A-Za-z0-9+/]{43}(\s*,\s*SHA256:[A-Za-z0-9+/]{43})*$/

/** How files are written, where they are, and how demand is booked. */
export const csvOptions = z
  .strictObject({
    /** Of numbers in all files of a source; found where they are missing. */
    decimal: z.enum(['.', ',']).optional(),
    date_format: z.enum(DATE_FORMATS).optional(),
    booking: bookingOption,
    time_zone: timeZoneOption,
    /** What changes in the folder is read at once. */
    watch: flag.optional(),
    /** An SFTP server that has the folder. */
    host: z
      .string()
      .regex(/^[\w.:-]{1,253}$/, 'must be the name or address of a server')
      .optional(),
    port: wholeNumber(1, 65_535).optional(),
    /** No other server is talked to. */
    host_key: z
      .string()
      .regex(FINGERPRINTS, 'must be SHA256: and 43 characters, as ssh-keygen -l prints it')
      .optional(),
  })
  .superRefine(({ host, port, host_key, watch }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (host && !host_key)
      refuse('host_key', 'is needed with host: the fingerprint of the key that the server shows')
    if (!host && host_key) refuse('host', 'is needed with host_key')
    if (!host && port) refuse('host', 'is needed with port')
    if (host && watch)
      refuse('watch', 'is for folders on this machine: give an SFTP server a frequent schedule')
  })

export type CsvOptions = z.infer<typeof csvOptions>
export type Format = Pick<CsvOptions, 'decimal' | 'date_format'>
