// The decisions of the list: about one by its own action, about many by one call that tells what was refused.
sap.ui.define(['./everything', './quantity'], (everything, quantity) => {
  const isAble = (can) => (row) => row.getProperty(can) === true

  async function decideOne(api, name, label, context) {
    const typed = quantity.of(context.getProperty('ID'))
    const parameterValues =
      name === 'approve' && typed !== undefined ? [{ name: 'quantity', value: typed }] : []
    const contexts = [context]
    await api.editFlow.invokeAction(`BuyerService.${name}`, { contexts, label, parameterValues })
    quantity.forget([context.getProperty('ID')])
  }

  /** `12,13:48`, as the service reads it; it refuses what is no quantity, a comma in it included. */
  const withTyped = (name) => (ID) => {
    const typed = name === 'approve' ? quantity.of(ID) : undefined
    return typed === undefined ? String(ID) : `${ID}:${encodeURIComponent(typed)}`
  }

  async function decideMany(api, { name, label, IDs, selected }) {
    const value = IDs.map(withTyped(name)).join(',')
    const parameterValues = [{ name: 'proposals', value }]
    const model = api.getModel()
    await api.editFlow.invokeAction(`${name}Many`, { model, label, parameterValues })
    quantity.forget(IDs)
    selected.forEach((row) => row.setSelected(false))
    await api.refresh()
  }

  const decision = (name, can, text) =>
    async function (_context, selected) {
      const label = (await this.getModel('i18n').getResourceBundle()).getText(text)
      try {
        const IDs = await everything.chosen(this, selected, can)
        const able = selected.filter(isAble(can))
        const isOne = IDs.length === 1 && able.length === 1
        if (isOne && !(name === 'approve' && quantity.isNone(IDs[0])))
          await decideOne(this, name, label, able[0])
        else if (IDs.length) await decideMany(this, { name, label, IDs, selected })
      } catch {
        // Fiori elements has told why, or the dialog was left.
      }
    }

  const offered = (can) => (_context, selected) => selected.some(isAble(can))

  return {
    approve: decision('approve', 'canApprove', 'approve'),
    decline: decision('decline', 'canReject', 'reject'),
    snooze: decision('snooze', 'canSnooze', 'snooze'),
    cancel: decision('cancel', 'canCancel', 'cancel'),
    canApprove: offered('canApprove'),
    canReject: offered('canReject'),
    canSnooze: offered('canSnooze'),
    canCancel: offered('canCancel'),
  }
})
