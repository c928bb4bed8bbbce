import { serverUrl } from '../../support/server.ts'

const as = (user: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`,
})

it.each([
  ['/odata/v4/buyer/Proposals?$top=1', 'buyer'],
  ['/odata/v4/buyer/Proposals/$count', 'buyer'],
  ['/odata/v4/buyer/overview()', 'buyer'],
  ['/odata/v4/admin/Sources', 'admin'],
  ['/odata/v4/TASKPROCESSING/TaskCollection?$top=1', 'buyer'],
  ['/odata/v2/TASKPROCESSING/TaskCollection?$top=1', 'buyer'],
  ['/task-provider/v2/tasks', 'taskcenter'],
  ['/v1/proposals', 'buyer'],
  ['/auth/session', 'buyer'],
  ['/auth/signed-out', 'buyer'],
  ['/oauth/callback', 'buyer'],
  ['/health', 'buyer'],
  ['/health/ready', 'buyer'],
])(
  '%s stays in no cache and is no other type than it says, for %s and for nobody',
  async (path, user) => {
    for (const headers of [as(user), {}]) {
      const answer = await fetch(serverUrl() + path, { headers })
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  },
)
