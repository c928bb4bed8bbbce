// Mails about open tasks, to a real SMTP server of the test's own.
import { once } from 'node:events'
import net from 'node:net'
import cds from '@sap/cds'
import { Proposals, Tasks } from '../../../srv/base/database/entities.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { commentOn } from '../../../srv/domain/proposals/index.ts'
import { sendDigests } from '../../../srv/doors/tasks/digest.ts'
import { addUser, mocked } from '../authority/two-locations.ts'
import { openShop } from '../proposals/shop.ts'
import { caughtUp } from './inbox.ts'
import { changeSettings } from '../../support/settings.ts'

const { SELECT, UPDATE } = cds.ql

interface Mail {
  to: string
  text: string
}

const mails: Mail[] = []
let refuses = false
let server: net.Server

/** As much of SMTP as one mail needs. */
function talk(socket: net.Socket) {
  let [text, to, isData] = ['', '', false]
  socket.write('220 test\r\n')
  socket.on('data', (chunk) => {
    text += chunk
    for (;;) {
      const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const line = text.slice(0, end)
      text = text.slice(end + (isData ? 5 : 2))
      if (isData) {
        mails.push({ to, text: decoded(line) })
        isData = false
        socket.write('250 kept\r\n')
      } else if (line.startsWith('DATA')) {
        isData = true
        socket.write('354 go on\r\n')
      } else if (line.startsWith('RCPT')) {
        to = /<(.+)>/.exec(line)![1]!
        socket.write(refuses ? '550 no\r\n' : '250 ok\r\n')
      } else if (line.startsWith('QUIT')) socket.end('221 bye\r\n')
      else socket.write('250 ok\r\n')
    }
  })
  socket.on('error', () => {})
}

const decoded = (mail: string) => {
  const plain = mail.replace(/=\r\n/g, '')
  const bytes = plain.replace(/=([0-9A-F]{2})/g, (_all, hex) =>
    String.fromCharCode(parseInt(String(hex), 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const at = (day: string, hour: number) => new Date(`${day}T${String(hour).padStart(2, '0')}:10:00Z`)
const send = (now: Date) => runDetached('mail', () => sendDigests(now))
const DAY = '2027-03-01'

beforeAll(async () => {
  server = net.createServer(talk).listen(0)
  await once(server, 'listening')
  await openShop('mail', 12)
  const rows = await SELECT.from(Proposals).columns('ID').orderBy('ID')
  await UPDATE.entity(Proposals).set({ valueAtRisk: 0 })
  for (const [at, cost] of [30, 1234.5, 2.25].entries())
    await UPDATE.entity(Proposals)
      .set({ valueAtRisk: cost })
      .where({ ID: rows.at(-1 - at)!.ID })
  await caughtUp()
})

/** In the order of the mail. */
const costsIn = (text: string) =>
  [...text.matchAll(/cost of waiting ([\d,.]+) EUR/g)].map(([, cost]) => cost)

afterAll(() => {
  delete process.env.RESTOCK_SMTP_URL
  server.close()
})

beforeEach(() => {
  mails.length = 0
})

it('none are sent unless it is configured', async () => {
  process.env.RESTOCK_SMTP_URL = `smtp://localhost:${(server.address() as net.AddressInfo).port}`
  await send(at(DAY, 9))
  expect(mails).toEqual([])
})

describe('where they are on', () => {
  beforeAll(() => {
    const mail = {
      from: 'restock@example.com',
      addresses: { buyer: 'buyer@example.com', approver: 'approver@example.com' },
      languages: { approver: 'de' },
    }
    changeSettings({ tasks: { mail } })
  })
  afterAll(() => changeSettings({ tasks: {} }))

  it('a refused mail is tried again', async () => {
    refuses = true
    await send(at(DAY, 7))
    refuses = false
    expect(mails).toEqual([])
  })

  it('each approver gets one a day, in their language, and nobody else one', async () => {
    await send(at(DAY, 5))
    expect(mails).toEqual([])
    await Promise.all([send(at(DAY, 8)), send(at(DAY, 8)), send(at(DAY, 9))])
    expect(mails.map(({ to }) => to).sort()).toEqual(['approver@example.com', 'buyer@example.com'])
    const [german] = mails.filter(({ to }) => to.startsWith('approver'))
    const [english] = mails.filter(({ to }) => to.startsWith('buyer'))
    expect(german!.text).toMatch(/Auf Ihre Entscheidung warten: 12/)
    expect(english!.text).toMatch(/Waiting for your decision: 12/)
    expect(english!.text).toMatch(/and 2 more/)
    expect(costsIn(english!.text)).toEqual(['1,235', '30.00', '2.25'])
    expect(german!.text).toMatch(/Kosten des Wartens 1\.235 EUR, bestellen bis \d+\.\d+\.\d{4}/)
    mails.length = 0
    await send(at(DAY, 20))
    expect(mails).toEqual([])
    await send(at('2027-03-02', 8))
    expect(mails).toHaveLength(2)
  })

  it('something urgent is mailed at once, and not repeated for hours', async () => {
    await UPDATE.entity(Tasks)
      .set({ priority: 'VERY_HIGH', createdAt: '2027-03-02T12:00:00.000Z' })
      .where({ localId: 'prop_1' })
    await send(at('2027-03-02', 13))
    expect(mails).toHaveLength(2)
    expect(mails[0]!.text).toMatch(/Urgent|Eilig/)
    await UPDATE.entity(Tasks)
      .set({ createdAt: '2027-03-02T14:00:00.000Z' })
      .where({ localId: 'prop_1' })
    await send(at('2027-03-02', 15))
    expect(mails).toHaveLength(2)
    await send(at('2027-03-02', 18))
    expect(mails).toHaveLength(4)
  })

  it('what a colleague asks is mailed once, in the language of who is asked', async () => {
    const [first] = await SELECT.from(Proposals).columns('ID').orderBy('ID')
    const text = 'Too much, @approver?'
    const user = { id: 'buyer', roles: ['Viewer', 'Buyer'], attr: { via: 'ui' } }
    await cds.tx({ user } as never, () => commentOn({ ID: first!.ID, text }))
    refuses = true
    await send(new Date())
    refuses = false
    mails.length = 0
    await Promise.all([send(new Date()), send(new Date())])
    const asked = mails.filter(({ text }) => text.includes('Das ist für Sie'))
    expect(asked).toHaveLength(1)
    expect(asked[0]!.to).toBe('approver@example.com')
    expect(asked[0]!.text).toMatch(/- buyer fragt zu mail-\d+ an L1: Too much, @approver\?/)
  })

  it('a line that somebody may no longer see is not mailed to them', async () => {
    const [first] = await SELECT.from(Proposals).columns('ID').orderBy('ID')
    const user = { id: 'buyer', roles: ['Viewer', 'Buyer'], attr: { via: 'ui' } }
    await cds.tx({ user } as never, () => commentOn({ ID: first!.ID, text: 'And now, @approver?' }))
    const approver = mocked().approver!
    addUser('approver', ['Viewer', 'Approver'], { locations: ['L9'] })
    mails.length = 0
    await send(new Date())
    expect(mails.filter(({ text }) => text.includes('And now'))).toEqual([])
    mocked().approver = approver
    await send(new Date())
    expect(mails.filter(({ text }) => text.includes('And now'))).toHaveLength(1)
  })
})
