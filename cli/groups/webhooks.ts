import { type Body, openClient, type Query } from '../client.ts'
import { callCommand, collect, group, listCommand, option, PAGING } from '../command.ts'
import { WrongUsage } from '../errors.ts'
import { note, words } from '../output.ts'

const ID = { '<id>': 'as "restock webhooks list" shows it' }

/** `restock webhooks …` */
export const webhooksCommand = () =>
  group('webhooks', 'addresses that events are sent to', [
    listCommand({
      name: 'list',
      summary: 'list webhooks, without their secrets',
      examples: ['webhooks list'],
      options: PAGING,
      call: (query: Query<'/webhooks'>) => openClient().call('get', '/webhooks', { query }),
      needs: ['id', 'url', 'events', 'status'],
      none: 'There are no webhooks: "restock webhooks add" makes one.',
      columns: [
        ['ID', (row) => row.id],
        ['Address', (row) => row.url],
        ['Status', (row) => row.status],
        ['Why', (row) => row.disabled_reason && words(row.disabled_reason)],
        ['Failing since', (row) => row.failing_since],
        ['Events', (row) => row.events.join(', ')],
      ],
    }),
    callCommand({
      name: 'add',
      summary: 'send events to an address; its secret is shown only once',
      examples: [
        'webhooks add https://erp.acme.com/hooks/restock',
        'webhooks add https://erp.acme.com/hooks/restock --events proposal.approved,sync.failed',
      ],
      args: { '<url>': 'where the events go' },
      options: [
        option(
          '--events <types>',
          'joined by commas; all, and those of later versions, unless given',
          collect,
        ),
      ],
      call: ({ events }: Pick<Body<'post', '/webhooks'>, 'events'>, url) =>
        openClient().call('post', '/webhooks', { body: { url, events } }),
      needs: ['id', 'secret'],
      tell({ id, secret }) {
        note(`Added ${id}. Its secret, by which calls are checked, is shown only once:`)
        return secret
      },
    }),
    callCommand({
      name: 'change',
      summary: 'change an address, its events, or switch it off and on',
      examples: [
        'webhooks change wh_1 --status disabled',
        'webhooks change wh_1 --events proposal.approved,proposal.cancelled',
      ],
      args: ID,
      options: [
        option('--url <url>', 'where the events go'),
        option('--events <types>', 'joined by commas', collect),
        option('--status <status>', 'active sends what was missed, too', ['active', 'disabled']),
      ],
      call(body: Body<'patch', '/webhooks/{id}'>, id) {
        if (!Object.keys(body).length) throw new WrongUsage('Give --url, --events or --status.')
        return openClient().call('patch', '/webhooks/{id}', { path: { id }, body })
      },
      needs: ['url', 'status', 'events'],
      tell: ({ url, status, events }, _options, id) =>
        `${id}: ${url}, ${status}, ${events.join(', ')}.`,
    }),
    callCommand({
      name: 'remove',
      summary: 'send no more events to an address; its deliveries go too',
      examples: ['webhooks remove wh_1'],
      args: ID,
      call: (_options, id) => openClient().call('delete', '/webhooks/{id}', { path: { id } }),
      tell: (_nothing, _options, id) => `Removed ${id}.`,
    }),
    callCommand({
      name: 'rotate',
      summary: 'replace a secret; for 24 hours calls are signed with both',
      examples: ['webhooks rotate wh_1'],
      args: ID,
      call: (_options, id) => openClient().call('post', '/webhooks/{id}/rotate', { path: { id } }),
      needs: ['secret'],
      tell({ secret, old_secret_expires_at: until }) {
        note(`The new secret is shown only once; the old one ends at ${until}:`)
        return secret
      },
    }),
    listCommand({
      name: 'deliveries',
      summary: 'list what was sent to an address, and how it was answered',
      examples: ['webhooks deliveries wh_1 --status failed'],
      args: ID,
      options: [
        option('--status <status>', 'those alone', ['pending', 'succeeded', 'failed']),
        ...PAGING,
      ],
      call: (query: Query<'/webhooks/{id}/deliveries'>, id) =>
        openClient().call('get', '/webhooks/{id}/deliveries', { path: { id }, query }),
      needs: ['id', 'type', 'status', 'attempts'],
      none: 'There are no such deliveries.',
      columns: [
        ['Event', (row) => row.id],
        ['Type', (row) => row.type],
        ['Status', (row) => row.status],
        ['Attempts', (row) => row.attempts, 'right'],
        ['Answer', (row) => row.response_status],
        ['Next', (row) => row.next_attempt_at],
        ['Problem', (row) => row.problem],
      ],
    }),
    callCommand({
      name: 'replay',
      summary: 'send an event once more',
      examples: ['webhooks replay wh_1 evt_019cb4f3a2f0000000a1b2c3d4e5'],
      args: { ...ID, '<event>': 'as "restock webhooks deliveries" shows it' },
      call: (_options, id, delivery) =>
        openClient().call('post', '/webhooks/{id}/deliveries/{delivery}/replay', {
          path: { id, delivery },
        }),
      tell: (_nothing, _options, id, delivery) => `${delivery} is sent to ${id} once more.`,
    }),
  ])
