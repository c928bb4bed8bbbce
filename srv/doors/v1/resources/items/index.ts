import { z } from 'zod'
import { code } from '../../../../base/input.ts'
import { type Facts, sentenceOf } from '../../../../base/texts/sentences.ts'
import {
  type Item as FoundItem,
  ITEM_STATES,
  listItems,
} from '../../../../domain/proposals/index.ts'
import { fieldMap, fieldsOf } from '../../http/field-map.ts'
import { toId } from '../../http/ids.ts'
import { listEndpoint } from '../../http/page.ts'
import { Calculation, toCalculation } from '../to-proposal.ts'

const field = fieldsOf<FoundItem>()

const english = (facts: Facts | null) => facts && sentenceOf(facts, 'en')

const [Item, toItem] = fieldMap<FoundItem>()('Item', {
  sku: z.string(),
  location: z.string(),
  source_id: field('source', z.string(), (ID) => toId('src', ID)),
  state: z.enum(ITEM_STATES).describe('There may be more in the future.'),
  why: field('why', z.string().describe('Why it is ordered or not, in a sentence.'), english),
  change: field(
    'change',
    z.string().nullable().describe('What would lead to an order; null where there is one.'),
    english,
  ),
  proposal_id: field(
    'proposal',
    z.string().nullable().describe('The open proposal, or the one that was rejected.'),
    (ID) => (ID === null ? null : toId('prop', ID)),
  ),
  enough_until: z.iso
    .date()
    .nullable()
    .describe('Until then its service target is met; null: not known, or longer than is forecast.'),
  order_about: z.iso
    .date()
    .nullable()
    .describe('When an order is to be expected, at the median of demand.'),
  slack: z.number().nullable().describe('Units that may leave before an order is due.'),
  calculation: field(
    'calculation',
    Calculation.nullable().describe(
      'The sum of an item without a proposal; null where none is made.',
    ),
    (calculation) => calculation && toCalculation(calculation),
  ),
})

const getItems = listEndpoint({
  path: '/items',
  summary: 'Lists every item, ordered or not, and why',
  scopes: ['proposals:read'],
  filters: { sku: code().optional(), location: code().optional() },
  row: Item,
  toJson: toItem,
  fetch: (page, filter) => listItems({ ...filter, ...page }),
})

export const itemEndpoints = [getItems]
