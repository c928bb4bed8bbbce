// Which proposals a decision is about, and in which version: those selected or, where all that are loaded are selected,
// those of the list as it stood when it was shown.
sap.ui.define(
  ['sap/m/MessageBox', 'sap/ui/core/format/NumberFormat'],
  (MessageBox, NumberFormat) => {
    /** As many as the service takes in one call. */
    const MOST = 1000
    const SHOWN =
      'ID,version,sku,location,quantity,value,currency,unitCost,moq,lotSize,calculatedQuantity,' +
      'p50,horizonDays,onHand,onOrder,valueAtRisk,reviewPeriodDays,canApprove,canReject,canSnooze,canCancel'

    /** The rows of each list, read when it was shown; those that are not loaded among them. */
    const standing = new WeakMap()
    const followed = new WeakSet()

    const shown = (value) =>
      NumberFormat.getIntegerInstance({ groupingEnabled: true }).format(value)

    /** Asks whether those that are not loaded are meant too. Rejects where neither is. */
    async function ask(api, selected, { count, all }) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      const text = (key, ...values) => bundle.getText(key, values.map(shown))
      const every = count > all ? text('allFirst', all) : text('allOfThem', all)
      const these = text('allSelected', selected)
      const actions = [these, every, MessageBox.Action.CANCEL]
      const answer = await new Promise((onClose) =>
        MessageBox.confirm(text('allQuestion', selected, count), {
          ...{ title: bundle.getText('allTitle'), actions, emphasizedAction: these, onClose },
        }),
      )
      if (answer === MessageBox.Action.CANCEL || !answer) throw new Error('left')
      return answer === every
    }

    /** By the list's own filters, search and order; null where they cannot be read. */
    async function readRows(binding) {
      try {
        const [path, query] = (await binding.requestDownloadUrl()).split('?')
        const kept = query.split('&').filter((part) => /^\$(filter|search|orderby)=/.test(part))
        const wanted = [`$select=${SHOWN}`, `$top=${MOST}`]
        const answer = await fetch(`${path}?${[...kept, ...wanted].join('&')}`, {
          headers: { Accept: 'application/json' },
        })
        return answer.ok ? (await answer.json()).value : null
      } catch {
        return null
      }
    }

    const isOfTable = (binding) =>
      binding?.isA?.('sap.ui.model.odata.v4.ODataListBinding') &&
      binding.getPath() === '/Proposals' &&
      binding.getCurrentContexts().filter(Boolean).length > 1

    const rowOf = (context) =>
      Object.fromEntries(SHOWN.split(',').map((name) => [name, context.getProperty(name)]))

    return {
      SHOWN,
      rowOf,

      /** Keeps the rows of a list that has been read, until it is read anew; more rows of the same list change nothing. */
      keep(binding) {
        if (!isOfTable(binding) || standing.has(binding)) return
        if (!followed.has(binding)) binding.attachRefresh(() => standing.delete(binding))
        followed.add(binding)
        const hasMore = (binding.getCount() ?? 0) > binding.getCurrentContexts().length
        if (hasMore) standing.set(binding, readRows(binding))
      },

      /** @returns rows with ID and version */
      async chosen(api, selected, can) {
        const isAble = (row) => row[can] === true
        const rows = selected.map(rowOf)
        const binding = selected[0].getBinding()
        const isEvery =
          selected.length > 1 && selected.length === binding.getCurrentContexts().length
        const all = isEvery ? await standing.get(binding) : null
        if (!all || all.length <= selected.length) return rows.filter(isAble)
        const counts = { count: Math.max(binding.getCount() ?? 0, all.length), all: all.length }
        if (!(await ask(api, selected.length, counts))) return rows.filter(isAble)
        const loaded = new Map(rows.map((row) => [row.ID, row]))
        return all.map((row) => loaded.get(row.ID) ?? row).filter(isAble)
      },
    }
  },
)
