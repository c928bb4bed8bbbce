// Filters by what no column of a proposal holds as it is: the group of its SKU, which is in the master data, and its
// exceptions, of which it may have several.
import type { Request } from '@sap/cds'
import { innermostQuery } from '../cap/query.ts'

/** A token of CAP's conditions: a word of SQL, or an expression. */
type Token = string | { ref?: string[]; xpr?: Token[]; args?: Token[]; val?: unknown }

const isRef = (token: Token | undefined, name: string) =>
  typeof token === 'object' && token.ref?.length === 1 && token.ref[0] === name

const isCompared = (word: Token | undefined) =>
  typeof word === 'string' && /^(=|==|!=|<>|<|<=|>|>=|in|like|is|is not)$/i.test(word)

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
    const word = tokens[at + 1]
    if (typeof token === 'string') result.push(token)
    else if (isRef(token, 'skuGroup') && isCompared(word)) {
      result.push({ xpr: ofSkus(tokens.slice(at, at + 3)) })
      at += 2
    } else if (isRef(token, 'exceptions') && ['=', '=='].includes(word as string)) {
      result.push({ xpr: hasException(tokens[at + 2]!) })
      at += 2
    } else if (token.args?.some((each) => isRef(each, 'skuGroup')))
      result.push({ xpr: ofSkus([token]) })
    else result.push(token.xpr ? { ...token, xpr: rewritten(token.xpr) } : token)
  }
  return result
}

/** To be called before proposals are read. */
export function filterByMore({ query }: Request) {
  const { SELECT } = innermostQuery(query)
  if (SELECT?.where) SELECT.where = rewritten(SELECT.where as Token[])
}
