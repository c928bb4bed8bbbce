// Filters by what no column of a proposal holds as it is: the group of its SKU, which is in the master data, and its
// exceptions, of which it may have several.
import type { Request } from '@sap/cds'
import { innermostQuery } from '../cap/query.ts'

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

function rewritten(tokens: Token[]): Token[] {
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
    } else result.push(token.xpr ? { ...token, xpr: rewritten(token.xpr) } : token)
  }
  return result
}

/** To be called before proposals are read. */
export function filterByMore({ query }: Request) {
  const { SELECT } = innermostQuery(query)
  if (SELECT?.where) SELECT.where = rewritten(SELECT.where as Token[])
}
