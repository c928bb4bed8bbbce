import { rewriteBatch } from '../../../srv/base/cap/batches.ts'

const TYPE = 'multipart/mixed; boundary=b'
const lines = (...all: string[]) => all.join('\r\n')
const HTTP = 'Content-Type: application/http'

const CHANGES = lines(
  '--b',
  ...['Content-Type:multipart/mixed;boundary=c', ''],
  ...['--c', 'Content-Type:application/http', 'Content-Transfer-Encoding:binary'],
  ...['Content-ID:0.0', '', 'POST Proposals(1)/BuyerService.approve HTTP/1.1'],
  ...['Accept:application/json', 'Content-Type:application/json', ''],
  ...['{"comment":"--b\\r\\nGET"}', '--c--', ''],
  ...['--b', HTTP, '', 'GET Proposals?$top=1 HTTP/1.1', 'Accept:application/json', '', ''],
  ...['--b--', 'Group ID: $auto'],
)

it('keeps the calls of a batch as UI5 writes it, and counts them', () => {
  const { text, ...rest } = rewriteBatch(TYPE, CHANGES)
  expect(rest).toEqual({ boundary: 'b', reads: 1, changes: 1 })
  expect(text.split('\r\n')).toEqual([
    ...['--b', 'content-type: multipart/mixed; boundary=c', ''],
    ...['--c', 'content-type: application/http', 'content-transfer-encoding: binary'],
    ...['content-id: 0.0', '', 'POST Proposals(1)/BuyerService.approve HTTP/1.1'],
    ...['accept: application/json', 'content-type: application/json', ''],
    ...['{"comment":"--b\\r\\nGET"}', '--c--', ''],
    ...['--b', 'content-type: application/http', 'content-transfer-encoding: binary', ''],
    ...['GET Proposals?$top=1 HTTP/1.1', 'accept: application/json', '', '', '--b--', ''],
  ])
})

it('stays as it is when it is written anew once more', () => {
  const { text } = rewriteBatch(TYPE, CHANGES)
  expect(rewriteBatch(TYPE, text).text).toBe(text)
})

it('drops lengths that a body need not have', () => {
  const call = ['POST x HTTP/1.1', 'Content-Length:5000', 'Transfer-Encoding: chunked', '', '{}']
  const { text } = rewriteBatch(TYPE, lines('--b', HTTP, '', ...call, '--b--', ''))
  expect(text).not.toMatch(/length|chunked/i)
})

const one = (...call: string[]) => lines('--b', HTTP, '', ...call, '--b--', '')

it.each([
  ['nothing', ''],
  ['no batch', 'garbage'],
  ['an end alone', '--b--'],
  ['no end', lines('--b', HTTP, '', 'GET x HTTP/1.1', '', '')],
  ['a part without a header', lines('--b', '', 'GET x HTTP/1.1', '', '', '--b--', '')],
  ['a part without content', lines('--b', HTTP, '--b--', '')],
  ['a part of another type', lines('--b', 'Content-Type: text/plain', '', 'x', '', '--b--', '')],
  ['a call cut off', one('GET')],
  ['an unknown method', one('HEAD x HTTP/1.1', '', '')],
  ['an impossible address', one('GET http://[ HTTP/1.1', '', '')],
  ['a header that is none', one('GET x HTTP/1.1', 'what', '', '')],
  ['a body that is no object', one('POST x HTTP/1.1', '', 'null')],
  ['a body that is cut off', one('POST x HTTP/1.1', '', '{"a":')],
  ['a deep body', one('POST x HTTP/1.1', '', `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`)],
  [
    'changes that do not end',
    lines('--b', 'Content-Type: multipart/mixed; boundary=c', '', '--c', HTTP, '', '--b--', ''),
  ],
  [
    'changes within changes',
    lines(
      ...['--b', 'Content-Type: multipart/mixed; boundary=c', ''],
      ...['--c', 'Content-Type: multipart/mixed; boundary=d', '', '--d--', '', '--c--', ''],
      ...['--b--', ''],
    ),
  ],
])('refuses %s', (_, text) => {
  expect(() => rewriteBatch(TYPE, text)).toThrow(expect.objectContaining({ status: 400 }))
})

it('refuses more than 100 calls, and boundaries that are none', () => {
  const part = lines('--b', HTTP, '', 'GET x HTTP/1.1', '', '', '')
  expect(rewriteBatch(TYPE, `${part.repeat(100)}--b--`)).toMatchObject({ reads: 100 })
  expect(() => rewriteBatch(TYPE, `${part.repeat(101)}--b--`)).toThrow('100 parts')
  expect(() => rewriteBatch('multipart/mixed', part)).toThrow('boundary')
  expect(() => rewriteBatch('multipart/mixed; boundary=$(x)', part)).toThrow('boundary')
})
