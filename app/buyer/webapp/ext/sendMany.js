// One part of a decision about many proposals, as the service reads it.
sap.ui.define(
  ['sap/ui/thirdparty/jquery', './pairName', './quantity'],
  (jQuery, pairName, quantity) => {
    const MOST = 1000

    /** `12@7` or `13@1:48`, as the service reads it; it refuses what is no quantity, a comma in it included. */
    const asShown =
      (name) =>
      ({ ID, version }) => {
        const typed = name === 'approve' ? quantity.of(ID) : undefined
        return `${ID}@${version}${typed === undefined ? '' : `:${encodeURIComponent(typed)}`}`
      }

    const bodyOf = (name, rows, given) =>
      JSON.stringify({ ...given, proposals: rows.map(asShown(name)).join(',') })

    /** `/Proposals(12)` is what a refusal is about. */
    const idOf = (target) => Number(/\((\d+)\)$/.exec(target)?.[1])

    /** What nobody may see any more the service cannot name. */
    function named({ ID, code, message }, rows) {
      const row = code === 'proposal_not_found' && rows.find((each) => each.ID === ID)
      return row ? `${pairName(row)}: ${message}` : message
    }

    /** @returns the refusals, as texts, with the number of their proposal */
    async function send(service, name, rows, given) {
      const data = bodyOf(name, rows, given)
      const options = { method: 'POST', data, contentType: 'application/json' }
      const told = await new Promise((resolve, reject) =>
        jQuery
          .ajax(`${service}${name}Many`, options)
          .then((_data, _state, call) => resolve(call.getResponseHeader('sap-messages')), reject),
      )
      return (told ? JSON.parse(told) : [])
        .filter(({ code }) => code !== 'decided')
        .map(({ code, message, target }) => ({ ID: idOf(target), code, message }))
        .map((refusal) => ({ ...refusal, message: named(refusal, rows) }))
    }

    /** The page is left: the request goes on without it, and nobody reads its answer. */
    function leave(service, name, rows, given) {
      const headers = { 'Content-Type': 'application/json' }
      const options = { method: 'POST', headers, keepalive: true }
      globalThis.fetch(`${service}${name}Many`, { ...options, body: bodyOf(name, rows, given) })
    }

    /** What is to be known before rows are approved; in parts, as many as the service takes. */
    async function lookBefore(service, rows) {
      const sums = {}
      for (let at = 0; at < rows.length; at += MOST) {
        const data = bodyOf('approve', rows.slice(at, at + MOST), {})
        const options = { method: 'POST', data, contentType: 'application/json', dataType: 'json' }
        const found = await jQuery.ajax(`${service}lookBefore`, options)
        for (const [name, value] of Object.entries(found))
          if (typeof value === 'number') sums[name] = (sums[name] ?? 0) + value
          else if (value) sums[name] ??= value
      }
      return sums
    }

    return { PART: 50, send, leave, lookBefore }
  },
)
