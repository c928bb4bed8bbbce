import { COMPANY_ERPS } from '../../sandbox/company-erps.ts'
import { makeCompany } from '../../sandbox/company/make-company.ts'

it.each(Object.keys(COMPANY_ERPS))('starts %s, and says how it is connected', async (type) => {
  const { greeting, close } = await COMPANY_ERPS[type]!(makeCompany({ size: 10, days: 5 }), 0)
  const url = /sandbox at (http:\/\/localhost:\d+\S*)/.exec(greeting)![1]!
  const [command] = /RESTOCK_CLIENT_SECRET=.*connect.*/.exec(greeting)!
  expect(command).toContain(` --source ${type} --account `)
  expect(command).toContain(url)
  expect(command).not.toContain('undefined')
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(400)
  await close()
})
