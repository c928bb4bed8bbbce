import { publicHolidays, UnknownCountry } from '../../holidays/public-holidays.ts'

const in2026 = (country: string, region?: string) =>
  publicHolidays({ country, region }, { first: 2026, last: 2026 })

describe('public holidays', () => {
  it('are those of a country, one a day, ascending', async () => {
    const found = await in2026('DE')
    expect(found).toContainEqual({ date: '2026-10-03', name: 'National Holiday' })
    const dates = found.map(({ date }) => date)
    expect(dates).toEqual([...new Set(dates)].sort())
    expect(dates).not.toContain('2026-01-06')
  })

  it('are more in a part of it, and in a part of that', async () => {
    const dates = async (...where: Parameters<typeof in2026>) =>
      (await in2026(...where)).map(({ date }) => date)
    expect(await dates('DE', 'BY')).toContain('2026-01-06')
    expect(await dates('DE', 'BY')).not.toContain('2026-08-08')
    expect(await dates('DE', 'BY-A')).toContain('2026-08-08')
  })

  it('have one name in all years, also where they are moved to a working day', async () => {
    const found = await publicHolidays({ country: 'GB' }, { first: 2020, last: 2023 })
    const names = (year: string) =>
      found.filter(({ date, name }) => date.startsWith(year) && name === 'Christmas Day')
    expect(names('2021').length).toBe(2)
    expect(names('2023').length).toBe(1)
  })

  it('are each day of those that last several, and none of summer time', async () => {
    const named = async (country: string, name: string) =>
      (await in2026(country)).filter((each) => each.name === name).map(({ date }) => date)
    const tet = ['2026-02-16', '2026-02-18', '2026-02-19', '2026-02-20']
    expect(await named('VN', 'Vietnamese New Year Holidays')).toEqual(tet)
    expect(await named('VN', 'Vietnamese New Year')).toEqual(['2026-02-17'])
    expect(await named('TR', 'End of Ramadan (Eid al-Fitr)')).toEqual([
      ...['2026-03-20', '2026-03-21', '2026-03-22'],
    ])
    expect(await named('AT', 'National Holiday')).toEqual(['2026-10-26'])
    expect(await named('RU', 'Christmas Day')).toEqual(['2026-01-07'])
  })

  it.each([
    ['XX', undefined, 'country'],
    ['DE', 'ZZ', 'region'],
    ['DE', 'BY-ZZ', 'region'],
  ])('are refused for %s %s', async (country, region, field) => {
    const refused = in2026(country, region)
    await expect(refused).rejects.toThrow(UnknownCountry)
    await expect(refused).rejects.toMatchObject({ field })
  })
})
