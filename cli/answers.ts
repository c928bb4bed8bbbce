import { Failure } from './errors.ts'
import type { Answer } from '../client/index.ts'

/**
 * The data of an answer.
 * @param required fields that the command needs
 * @throws Failure where one is missing, because the server has another version of the API
 */
export function dataOf<Data extends object, Name extends keyof Data & string>(
  { data }: Answer<Data>,
  required: Name[],
): Data & Required<Pick<Data, Name>> {
  assertFields(data, required)
  return data as Data & Required<Pick<Data, Name>>
}

/** The same for the rows of a list. */
export function rowsOf<Row extends object>(
  { data: page }: Answer<{ data: Row[] }>,
  required: (keyof Row & string)[],
): Row[] {
  if (!Array.isArray(page?.data)) throw unexpected('data')
  page.data.forEach((row, index) => assertFields(row, required, `data.${index}.`))
  return page.data
}

function assertFields<Row extends object>(row: Row, names: (keyof Row & string)[], place = '') {
  const missing = names.find((name) => row?.[name] === undefined)
  if (missing !== undefined) throw unexpected(`${place}${missing}`)
}

const unexpected = (place: string) =>
  new Failure(
    `The server's answer is not as expected (${place}): check that server and CLI are of one version.`,
  )
