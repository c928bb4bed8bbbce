import { maskSecrets } from '../../../srv/base/log/output.ts'

const SECRET = 'Zm9vYmFyYmF6'
const filler = (length: number) =>
  'all is well. '.repeat(Math.max(0, length) / 13 + 1).slice(0, Math.max(0, length))

it('leaves the middle of a long text out, and says how much', () => {
  const text = `the beginning ${filler(200_000)} the end`
  const masked = maskSecrets(text)
  expect(masked).toMatch(/^the beginning .* … \d+ characters left out … .* the end$/s)
  expect(masked.length).toBeLessThan(17_000)
  expect(Number(/(\d+) characters/.exec(masked)![1])).toBe(text.length - 16_000)
})

it('shows no secret that stands where a text is cut', () => {
  const pem = `-----BEGIN PRIVATE KEY-----\n${`${SECRET}\n`.repeat(400)}-----END PRIVATE KEY-----`
  const secrets = [`password="with blanks ${SECRET}"`, `Bearer ${SECRET}`, pem]
  for (const length of [20_000, 65_000, 66_000, 200_000]) {
    for (const at of [11_980, 11_990, 32_760, length - 32_775, length - 4_020, length - 4_010]) {
      for (const secret of secrets) {
        const text = filler(at) + secret + filler(length - at)
        expect(maskSecrets(text)).not.toContain(SECRET)
      }
    }
  }
})

it('masks the headers of a call to the end of their line', () => {
  const text = `GET / HTTP/1.1\r\nCookie: a=b; c=${SECRET}\r\nAuthorization: OAuth realm=1, x=${SECRET}\r\nAccept: */*`
  expect(maskSecrets(text)).toBe(
    'GET / HTTP/1.1\r\nCookie: ***\r\nAuthorization: ***\r\nAccept: */*',
  )
})
