// The small lines of suppliers, decided as one: read when they are, with the dialogs of the list.
sap.ui.define(
  ['./decide', './decideMany', './everything', './held', './tabs'],
  (decide, decideMany, everything, held, tabs) => {
    const PAGE = 1000

    /** All small lines of a supplier, page by page, as they stand now. */
    async function readLines(service, { source, supplier, currency }) {
      const quoted = (text) => `'${text.replaceAll("'", "''")}'`
      const filter = [
        ...["status eq 'pending'", "kind eq 'purchase'", 'isSmall eq true', `source eq ${source}`],
        ...[`supplier eq ${quoted(supplier)}`, `currency eq ${currency ? quoted(currency) : null}`],
      ].join(' and ')
      const query = `$filter=${encodeURIComponent(filter)}&$select=${everything.SHOWN}&$orderby=ID`
      const rows = []
      for (;;) {
        const address = `${service}Proposals?${query}&$top=${PAGE}&$skip=${rows.length}`
        const answer = await fetch(address, { headers: { Accept: 'application/json' } })
        if (!answer.ok) throw new Error(answer.statusText)
        const { value } = await answer.json()
        rows.push(...value)
        if (value.length < PAGE) return rows
      }
    }

    const decision = (name, can) =>
      async function (_context, selected) {
        try {
          const service = this.getModel().getServiceUrl()
          const found = []
          for (const context of selected)
            found.push(...(await readLines(service, context.getObject())))
          const rows = found.filter((row) => row[can] && !held.isHeld(row.ID))
          if (!rows.length) return
          const given = await held.during(decideMany(this, { name, rows }))
          if (given) return held.add({ api: this, name, rows, given })
          tabs.tell()
          held.before(rows.length)
          await this.refresh()
        } catch (error) {
          await decide.afterFailure(this, error)
        }
      }

    return {
      approve: decision('approve', 'canApprove'),
      decline: decision('decline', 'canReject'),
      snooze: decision('snooze', 'canSnooze'),
      isOffered: (_context, selected) => selected.length > 0,
    }
  },
)
