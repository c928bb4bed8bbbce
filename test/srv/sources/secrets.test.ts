import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import { Secrets } from '../../../srv/base/database/entities.ts'
import {
  decryptText,
  encryptText,
  keyRing,
  sealingKey,
} from '../../../srv/base/database/secrets/key-ring.ts'
import { readSecret, resealAll, storeSecret } from '../../../srv/base/database/secrets/vault.ts'
import { post } from '../v1/api.ts'
import { codePlan, erp, newSource, useConsent } from './consent-adapter.ts'
import { changeSettings } from '../../support/settings.ts'

const { SELECT, UPDATE } = cds.ql
const NAME = 'RESTOCK_ENCRYPTION_KEY'
const aKey = () => randomBytes(32).toString('base64')

beforeAll(() => useConsent(codePlan()))
afterAll(() => erp.close())
afterEach(() => {
  delete process.env[NAME]
  delete process.env[`${NAME}_PREVIOUS`]
})

const rowOf = (source: number) =>
  SELECT.one.from(Secrets).where({ source_ID: source, name: 'client_secret' })

describe('a sealed text', () => {
  const key = sealingKey(randomBytes(32))

  it.each(['', 'x', 'ünïcode 🍎', 'long '.repeat(5000)])('opens where it belongs', (text) => {
    expect(decryptText(key, 'here', encryptText(key, 'here', text))).toBe(text)
  })

  it('is another one each time', () => {
    const sealed = Array.from({ length: 100 }, () => encryptText(key, 'here', 'same'))
    expect(new Set(sealed.map((each) => each.slice(0, 16))).size).toBe(100)
  })

  it('opens neither elsewhere, nor with another key, nor after a change', () => {
    const sealed = encryptText(key, 'here', 'secret')
    expect(() => decryptText(key, 'there', sealed)).toThrow()
    expect(() => decryptText(sealingKey(randomBytes(32)), 'here', sealed)).toThrow()
    const bytes = Buffer.from(sealed, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => decryptText(key, 'here', changed.toString('base64'))).toThrow()
    }
    for (const short of ['', 'AAAA', bytes.subarray(0, 27).toString('base64')]) {
      expect(() => decryptText(key, 'here', short)).toThrow()
    }
  })
})

describe('the encryption key', () => {
  it('is made at first need in development, for its owner alone', async () => {
    expect(keyRing().all.size).toBe(1)
    const file = path.join(cds.root, '.restock', 'encryption-key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const bytes = Buffer.from(await readFile(file, 'utf8'), 'base64')
    expect(keyRing().present).toEqual(sealingKey(bytes))
  })

  it('comes from the environment, with those before it', () => {
    const [present, old, older] = [aKey(), aKey(), aKey()]
    process.env[NAME] = present
    process.env[`${NAME}_PREVIOUS`] = `${old}, ${older}`
    expect(keyRing().present).toEqual(sealingKey(Buffer.from(present, 'base64')))
    expect([...keyRing().all.values()].map(({ bytes }) => bytes.toString('base64'))).toEqual([
      ...[present, old, older],
    ])
  })

  it('comes from a bound service', () => {
    const requires = cds.env.requires as Record<string, unknown>
    const [key, previous] = [aKey(), aKey()]
    requires['restock-encryption-key'] = { credentials: { key, previous } }
    try {
      expect(keyRing().present).toEqual(sealingKey(Buffer.from(key, 'base64')))
      expect(keyRing().all.size).toBe(2)
    } finally {
      requires['restock-encryption-key'] = true
    }
  })

  it.each(['short', Buffer.alloc(31).toString('base64'), 'x'.repeat(44), `${aKey()}!`])(
    'is refused where it is none, without a word of it',
    (text) => {
      process.env[NAME] = text
      expect(() => keyRing()).toThrow(/RESTOCK_ENCRYPTION_KEY .*must be 32 bytes in base64/)
      expect(() => keyRing()).not.toThrow(text)
    },
  )

  it('must be given in production: nothing is stored without', async () => {
    cds.env.profiles.push('production')
    changeSettings({ publicUrl: 'https://restock.example' })
    try {
      await expect(storeSecret(990, 'client_secret', 'x')).rejects.toThrow(/set RESTOCK_ENCRYPTION/)
      const { status, error } = await post('/sources', {
        ...newSource('prod'),
        base_url: 'https://x',
      })
      expect({ status, code: error?.code }).toEqual({ status: 400, code: 'invalid_parameter' })
      expect(error?.message).toContain('is not https')
    } finally {
      changeSettings({ publicUrl: null })
      cds.env.profiles.splice(cds.env.profiles.indexOf('production'), 1)
    }
    expect(await rowOf(990)).toBeFalsy()
  })
})

describe('a stored secret', () => {
  it('is put under a new key when it is used, and stays readable for those who are late', async () => {
    const [old, present] = [aKey(), aKey()]
    process.env[NAME] = old
    await storeSecret(991, 'client_secret', 'used')
    const before = await rowOf(991)
    process.env[NAME] = present
    process.env[`${NAME}_PREVIOUS`] = old
    expect(await readSecret(991, 'client_secret')).toEqual({ text: 'used', version: 1 })
    const after = await rowOf(991)
    expect(after).toMatchObject({ keyId: keyRing().present.id, version: 1 })
    expect(after!.sealed).not.toBe(before!.sealed)
    delete process.env[`${NAME}_PREVIOUS`]
    expect((await readSecret(991, 'client_secret'))!.text).toBe('used')
  })

  it('is put under a new key with all others at once', async () => {
    const [old, present] = [aKey(), aKey()]
    process.env[NAME] = old
    for (const source of [992, 993, 994]) await storeSecret(source, 'client_secret', `s${source}`)
    process.env[NAME] = present
    process.env[`${NAME}_PREVIOUS`] = old
    expect((await resealAll()).changed).toBe(3)
    delete process.env[`${NAME}_PREVIOUS`]
    for (const source of [992, 993, 994]) {
      expect((await readSecret(source, 'client_secret'))!.text).toBe(`s${source}`)
    }
    expect((await resealAll()).changed).toBe(0)
  })

  it('cannot be given to another source', async () => {
    await storeSecret(995, 'client_secret', 'of 995')
    await storeSecret(996, 'client_secret', 'of 996')
    const { sealed } = (await rowOf(995))!
    await UPDATE.entity(Secrets).set({ sealed }).where({ source_ID: 996 })
    await expect(readSecret(996, 'client_secret')).rejects.toMatchObject({
      code: 'secret_unreadable',
    })
  })
})
