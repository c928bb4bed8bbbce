// A stored query as the Service Layer runs it: pages by link alone, days without dashes.
import type { Company } from '../company/company.ts'
import type { Row } from '../v4/filter.ts'

/** What `SQLQueries('code')/List` answers: a page of rows, with a link that begins at the service; null for a parameter. */
export function runQuery(
  rows: readonly Row[],
  list: string,
  params: URLSearchParams,
  most: number,
) {
  if ([...params.keys()].some((name) => name !== '$skip')) return null
  const skip = Number(params.get('$skip') ?? 0)
  const value = rows.slice(skip, skip + most)
  const next = skip + value.length
  const link = next < rows.length && { '@odata.nextLink': `${list}?&$skip=${next}` }
  return { SqlText: 'select …', value, ...link }
}

/** Each third pair has half of its stock in a batch that expires, and each third of these a unit in another one. */
export const batchRows = ({ pairs }: Company, float: (value: number) => number): Row[] =>
  pairs.flatMap(({ item, location, onHand }, at) => {
    if (at % 3 || onHand < 4) return []
    const row = (name: string, quantity: number, day: string) => ({
      ...{ ItemCode: item.code, WhsCode: location.code, DistNumber: `${name}${at}` },
      ...{ Quantity: float(quantity), ExpDate: day },
    })
    const first = row('B', Math.floor(onHand / 2), '20310531')
    return at % 9 ? [first] : [first, row('C', 1, '20320601')]
  })
