// Filters by what no column of a proposal holds as it is: the group of its SKU, which is in the master data, its
// exceptions, of which it may have several, and whether it is due, which its location's day says.
import type { Request } from '@sap/cds'
import { innermostQuery } from '../cap/query.ts'
import { isDueNow } from '../store/due.ts'
import { initialStatus } from '../store/proposal-flow.ts'

/** A token of CAP's conditions: a word of SQL, or an expression. */
type Token = string | { ref?: string[]; xpr?: Token[]; args?: Token[]; val?: unknown }

const mentions = (token: Token | undefined, name: string): boolean =>
  typeof token === 'object' &&
  (token.ref?.[0] === name || (token.args ?? []).some((each) => mentions(each, name)))

const isOneOf = (words: string[], word: Token | undefined) =>
  typeof word === 'string' && words.includes(word.toLowerCase())

const EQUAL = ['=', '==']
const UNEQUAL = ['!=', '<>']
const COMPARED = [...EQUAL, ...UNEQUAL, '<', '<=', '>', '>=', 'in', 'like', 'is', 'is not']

/** The pairs of source and SKU whose master data meet the condition. */
const ofSkus = (condition: Token[]): Token[] =>
  [
    { list: [{ ref: ['source'] }, { ref: ['sku'] }] },
    'in',
    {
      SELECT: {
        from: { ref: ['restock.Skus'] },
        columns: [{ ref: ['source_ID'] }, { ref: ['sku'] }],
        where: condition,
      },
    },
  ] as Token[]

/** One of the exceptions, which the column joins by commas. */
const hasException = (code: Token): Token[] => {
  const among = { func: 'concat', args: [{ val: ',' }, { ref: ['exceptions'] }, { val: ',' }] }
  const wanted = { val: `,${String((code as { val: unknown }).val)},` }
  return [{ func: 'contains', args: [among, wanted] } as Token]
}

/** True or false, and never null, so that it can be compared with either. */
const dueOrNot = (isDue: Token): Token => ({
  xpr: ['case', 'when', isDue, 'then', { val: true }, 'else', { val: false }, 'end'],
})

/** @param isDue the condition that a proposal is due */
function rewritten(tokens: Token[], isDue: Token | null): Token[] {
  const result: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const [word, value] = tokens.slice(at + 1)
    if (typeof token === 'string') result.push(token)
    else if (token.ref?.[0] === 'exceptions' && isOneOf([...EQUAL, ...UNEQUAL], word)) {
      const has = hasException(value!)
      result.push({ xpr: isOneOf(UNEQUAL, word) ? ['not', ...has] : has })
      at += 2
    } else if (mentions(token, 'skuGroup')) {
      const length = isOneOf(COMPARED, word) ? 3 : 1
      result.push({ xpr: ofSkus(tokens.slice(at, at + length)) })
      at += length - 1
    } else if (isDue && token.ref?.[0] === 'isDueToday') {
      // As a plain condition an index may serve it.
      const isPlain = isOneOf(EQUAL, word) && (value as { val?: unknown }).val === true
      result.push(isPlain ? isDue : dueOrNot(isDue))
      if (isPlain) at += 2
    } else result.push(token.xpr ? { ...token, xpr: rewritten(token.xpr, isDue) } : token)
  }
  return result
}

const names = (token: Token, name: string): boolean =>
  mentions(token, name) ||
  (typeof token === 'object' && (token.xpr ?? []).some((each) => names(each, name)))

/** To be called before proposals are read. */
export async function filterByMore({ query }: Request) {
  const { SELECT } = innermostQuery(query)
  if (!SELECT?.where) return
  const where = SELECT.where as Token[]
  const isDue = where.some((token) => names(token, 'isDueToday'))
    ? { xpr: [{ ref: ['status'] }, '=', { val: initialStatus() }, 'and', await isDueNow('source')] }
    : null
  SELECT.where = rewritten(where, isDue as Token | null)
}
