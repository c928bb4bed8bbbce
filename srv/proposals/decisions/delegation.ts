import cds from '@sap/cds'

const { SELECT } = cds.ql

/** Who has delegated to this user at this moment. A delegation is not passed on. */
export async function delegationsTo(user: string): Promise<string[]> {
  const now = new Date().toISOString()
  const rows: { fromUser: string }[] = await SELECT.from('restock.Delegations').columns('fromUser')
    .where`toUser = ${user} and validFrom <= ${now} and validTo > ${now} and endedAt is null`.orderBy(
    'fromUser',
  )
  return [...new Set(rows.map(({ fromUser }) => fromUser))].filter((from) => from !== user)
}
