// Which proposals a decision is about: those selected or, where all that are loaded are selected, those of the list.
sap.ui.define(
  ['sap/m/MessageBox', 'sap/ui/core/format/NumberFormat'],
  (MessageBox, NumberFormat) => {
    /** As many as the service takes in one call. */
    const MOST = 1000

    const shown = (value) =>
      NumberFormat.getIntegerInstance({ groupingEnabled: true }).format(value)

    /** Asks whether those that are not loaded are meant too. Rejects where neither is. */
    async function ask(api, selected, count) {
      const bundle = await api.getModel('i18n').getResourceBundle()
      const text = (key, ...values) => bundle.getText(key, values.map(shown))
      const every = count > MOST ? text('allFirst', MOST) : text('allOfThem', count)
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

    /** The list's own filters, search and order; of each row no more than is needed. */
    async function readAll(binding, can) {
      const [path, query] = (await binding.requestDownloadUrl()).split('?')
      const kept = query.split('&').filter((part) => /^\$(filter|search|orderby)=/.test(part))
      const wanted = [`$select=ID,${can}`, `$top=${MOST}`]
      const answer = await fetch(`${path}?${[...kept, ...wanted].join('&')}`, {
        headers: { Accept: 'application/json' },
      })
      if (!answer.ok) throw new Error(answer.statusText)
      const { value } = await answer.json()
      return value.filter((row) => row[can]).map(({ ID }) => ID)
    }

    return {
      async chosen(api, selected, can) {
        const able = selected.filter((row) => row.getProperty(can) === true)
        const IDs = able.map((row) => row.getProperty('ID'))
        const binding = selected[0].getBinding()
        const count = binding.getCount?.() ?? 0
        const isEvery =
          selected.length > 1 && selected.length === binding.getCurrentContexts().length
        if (!isEvery || count <= selected.length) return IDs
        return (await ask(api, selected.length, count)) ? readAll(binding, can) : IDs
      },
    }
  },
)
