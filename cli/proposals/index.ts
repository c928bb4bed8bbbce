import { writeFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { components, Proposal } from '../../client/index.ts'
import { type Body, openClient, type Query } from '../client.ts'
import {
  apiCommand,
  callCommand,
  collect,
  CURSOR,
  group,
  isCalendarDay,
  type Json,
  listCommand,
  mandatory,
  option,
  PAGING,
  wholeNumber,
} from '../command.ts'
import { Failure } from '../errors.ts'
import { money, note, printDocument, printJson, toSafeText, words } from '../output.ts'
import { type Column, linesOf } from '../table.ts'
import { budgetCommand } from './budget.ts'
import { approveCommand, COMMENT, REASON, rejectCommand } from './decide.ts'
import { explainCommand, lastLotOf, waitOf } from './explain.ts'
import { handOverCommand } from './hand-over.ts'
import { layoutOf } from './layout.ts'
import { listProposalsCommand } from './list.ts'
import { whyCommand } from './why.ts'

const ID = { '<id>': 'the proposal, e.g. prop_1042' }

/** `restock proposals …` */
export const proposalsCommand = () =>
  group(
    'proposals',
    'order proposals: what they are, why, at which risk; decide about them, export them',
    [
      listProposalsCommand(),
      callCommand({
        name: 'show',
        summary: 'show a proposal and why it was made',
        examples: ['proposals show prop_1042'],
        args: ID,
        call: (_options, id) => openClient().call('get', '/proposals/{id}', { path: { id } }),
        needs: ['id', 'version', 'quantity', 'status', 'calculation'],
        tell: (shown) => [
          ...layoutOf([shown], true),
          ...lastLotOf(shown),
          ...waitOf(shown),
          ...contractOf(shown),
          ...recommendationOf(shown),
        ],
      }),
      explainCommand(),
      callCommand({
        name: 'risk',
        summary: 'show the risk of no order, the proposed one and another quantity',
        examples: ['proposals risk prop_1042', 'proposals risk prop_1042 --quantity 160'],
        args: ID,
        options: [option('--quantity <units>', 'another quantity', wholeNumber(0))],
        call: (query: Query<'/proposals/{id}/risk'>, id) =>
          openClient().call('get', '/proposals/{id}/risk', { path: { id }, query }),
        needs: ['none', 'proposed'],
        tell: ({ none, proposed, asked, currency }) =>
          linesOf(
            [...RISKS, [money('Value', currency), ({ value }) => value, 'right']],
            [none, proposed, ...(asked ? [asked] : [])],
          ),
      }),
      listCommand({
        name: 'history',
        summary: 'list what happened to a proposal, the oldest first',
        examples: ['proposals history prop_1042'],
        args: ID,
        options: [CURSOR],
        call: ({ cursor }: { cursor?: string }, id) =>
          openClient().call('get', '/proposals/{id}/history', {
            path: { id },
            query: { cursor, limit: 200 },
          }),
        needs: ['at', 'event', 'by', 'via'],
        columns: [
          ['When', (row) => row.at],
          ['Event', (row) => words(row.event)],
          ['Quantity', (row) => row.quantity, 'right'],
          ['By', ({ by, on_behalf_of: absent }) => (absent ? `${by} for ${absent}` : by)],
          ['Via', (row) => words(row.via)],
          ['Comment', (row) => row.comment],
        ],
      }),
      approveCommand(),
      rejectCommand(),
      callCommand({
        name: 'snooze',
        summary: 'put a proposal off until a day; a change of its need wakes it',
        examples: [
          'proposals snooze prop_1042 --until 2026-12-01',
          'proposals snooze prop_1042 --until 2026-12-01T06:00:00Z',
        ],
        args: ID,
        options: [
          mandatory('--until <day>', 'a day (its beginning in UTC), or an instant', instantOf),
        ],
        call: (body: Body<'post', '/proposals/{id}/snooze'>, id) =>
          openClient().call('post', '/proposals/{id}/snooze', { path: { id }, body }),
        needs: ['id', 'status'],
        tell: ({ snoozed_until: end }, { until }, id) => `Snoozed ${id} until ${end ?? until}.`,
      }),
      callCommand({
        name: 'cancel',
        summary: 'cancel an approved proposal that the ERP has no order for yet',
        examples: ['proposals cancel prop_1042 --reason not_needed --comment "Ordered by phone"'],
        args: ID,
        options: [mandatory(...REASON), COMMENT],
        call: (body: Body<'post', '/proposals/{id}/cancel'>, id) =>
          openClient().call('post', '/proposals/{id}/cancel', { path: { id }, body }),
        tell: ({ handed_over: taken }, _options, id) => [
          `Cancelled ${id}.`,
          ...(taken
            ? [`It was handed over by ${taken.by} at ${taken.at}: take it back in the ERP too.`]
            : []),
        ],
      }),
      listCommand({
        name: 'blocked',
        summary: 'list what cannot be proposed, and what each is missing',
        examples: ['proposals blocked', 'proposals blocked --limit 200 --json'],
        options: PAGING,
        call: (query: Query<'/proposals/blocked'>) =>
          openClient().call('get', '/proposals/blocked', { query }),
        needs: ['sku', 'location', 'reason', 'missing'],
        none: 'Nothing is blocked.',
        columns: [
          ['SKU', (row) => row.sku],
          ['Location', (row) => row.location],
          ['Missing', (row) => words(row.missing)],
          ['Why', (row) => row.reason],
        ],
      }),
      whyCommand(),
      budgetCommand(),
      handOverCommand(),
      apiCommand({
        name: 'export',
        summary: "write proposals as CSV for the ERP's own import",
        examples: [
          'proposals export --out orders.csv',
          'proposals export --status approved --format json',
        ],
        options: [
          option('--status <status>', 'repeat for several (default: approved)', collect),
          option('--format <format>', undefined, ['csv', 'json'], 'csv'),
          option('--out <file>', 'write to this file, not to stdout'),
        ],
        run: exportProposals,
      }),
    ],
  )

/** The contract that it calls off from; a service of an earlier version knows of none. */
function contractOf(proposal: Partial<Proposal>): string[] {
  const { contract, quantity, currency } = proposal
  if (!contract) return valueContractOf(proposal)
  const {
    document,
    line,
    remaining,
    quantity: agreed,
    valid_until: end,
    unit_cost,
    over,
  } = contract
  const text = [
    `Contract ${document}/${line}: ${remaining} of ${agreed} left`,
    ...(end ? [`until ${end}`] : []),
    ...(unit_cost ? [`${money(unit_cost, contract.currency ?? currency ?? null)} a unit`] : []),
    ...(over ? [`${over} of ${quantity} are more than it has left`] : []),
  ].join(', ')
  return [toSafeText(`    ${text}.`)]
}

function valueContractOf({ value_contract: contract, currency }: Partial<Proposal>): string[] {
  if (!contract) return []
  const [left, agreed] = [contract.remaining_value, contract.agreed_value].map((value) =>
    money(value, contract.currency ?? currency ?? null),
  )
  const { document, line, valid_until: end } = contract
  const text = [
    `Contract ${document}/${line}: ${left} of ${agreed} left`,
    ...(end ? [`until ${end}`] : []),
  ]
  return [toSafeText(`    ${text.join(', ')}.`)]
}

/** What a key has drafted; a service of an earlier version knows of none. */
function recommendationOf({ recommendation }: Partial<Proposal>): string[] {
  if (!recommendation) return []
  const { action, quantity, reason, comment, by, version } = recommendation
  const what = [action, quantity, reason && words(reason)].filter((word) => word !== null).join(' ')
  return [toSafeText(`    ${by} recommends (version ${version}): ${what}: ${comment}`)]
}

const RISKS: Column<components['schemas']['Risk']>[] = [
  ['Quantity', (row) => row.quantity, 'right'],
  ['Chance of stockout', (row) => `${(row.stockout_probability * 100).toFixed(1)} %`, 'right'],
  ['Empty on', (row) => row.stockout_day],
  ['Days of supply', (row) => row.days_of_supply_p50, 'right'],
  ['at high demand', (row) => row.days_of_supply_p90, 'right'],
]

function instantOf(text: string): string {
  const [day = '', clock] = text.split('T')
  const isTold = isCalendarDay(day) && (clock === undefined || clock.endsWith('Z'))
  const time = isTold ? Date.parse(text) : NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError('It must be a day such as 2026-12-01, or an instant in UTC.')
}

interface ExportOptions extends Json {
  status?: Proposal['status'][]
  format: 'csv' | 'json'
  out?: string
}

async function exportProposals({ status = ['approved'], out, ...options }: ExportOptions) {
  const format = options.json ? 'json' : options.format
  const answer = await openClient().call('get', '/proposals/export', { query: { status, format } })
  if (out !== undefined) write(out, answer.text)
  else if (format === 'json') printJson(answer)
  else printDocument(answer.text)
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(`The file cannot be written: ${reason}`)
  }
  note(`Written to ${file}.`)
}
