// Decisions, each about the version that is shown: about one by its own action, about many by one call that tells what was
// refused.
sap.ui.define(
  ['sap/m/MessageBox', './decideMany', './everything', './quantity', './tabs'],
  (MessageBox, decideMany, everything, quantity, tabs) => {
    const isAble = (can) => (row) => row.getProperty(can) === true

    async function decideOne(api, name, label, context) {
      const ID = context.getProperty('ID')
      const typed = name === 'approve' ? quantity.of(ID) : undefined
      const parameterValues = [
        { name: 'version', value: context.getProperty('version') },
        ...(typed === undefined ? [] : [{ name: 'quantity', value: typed }]),
      ]
      const contexts = [context]
      await api.editFlow.invokeAction(`BuyerService.${name}`, { contexts, label, parameterValues })
      quantity.forget([ID])
      tabs.tell()
    }

    /** The list and its counts: what is decided may be in it no longer. */
    function readAnew(api, selected) {
      selected.forEach((row) => row.setSelected(false))
      return api.refresh()
    }

    const textOf = async (api, key, values) =>
      (await api.getModel('i18n').getResourceBundle()).getText(key, values)

    /** Whether the person has left a dialog, as Fiori elements and this app say it. */
    const isLeft = (error) => ['Dialog cancelled', 'left'].includes(error?.message)

    /** What was decided before a call ended without an answer stays decided: the rest is counted. */
    async function tellRest(api, rows, can) {
      const filter = `ID in (${rows.map(({ ID }) => ID).join()})`
      const query = `$filter=${encodeURIComponent(filter)}&$select=ID,${can}&$top=${rows.length}`
      const address = `${api.getModel().getServiceUrl()}Proposals?${query}`
      const answer = await fetch(address, { headers: { Accept: 'application/json' } }).catch(
        () => null,
      )
      if (!answer?.ok) return MessageBox.warning(await textOf(api, 'cutOff'))
      const open = (await answer.json()).value.filter((row) => row[can]).length
      const counts = [rows.length - open, rows.length, open]
      MessageBox.warning(await textOf(api, 'cutOffAt', counts))
    }

    /** Fiori elements has told why; what the refusal is about is shown as it is now. */
    async function afterFailure(api, error, decided) {
      if (isLeft(error)) return
      await api.refresh()
      const isAnswered = error?.status >= 400 && error?.status < 500
      if (decided?.rows.length > 1 && !isAnswered) await tellRest(api, decided.rows, decided.can)
    }

    /** Of the list. */
    const decision = (name, can, text) =>
      async function (_context, selected) {
        let rows
        try {
          const label = await textOf(this, text)
          rows = await everything.chosen(this, selected, can)
          const able = selected.filter(isAble(can))
          const isOne = rows.length === 1 && able.length === 1
          if (isOne && !(name === 'approve' && quantity.isNone(rows[0].ID))) {
            await decideOne(this, name, label, able[0])
            await readAnew(this, selected)
          } else if (rows.length) {
            await decideMany(this, { name, rows })
            tabs.tell()
            await readAnew(this, selected)
          }
        } catch (error) {
          await afterFailure(this, error, rows && { rows, can })
        }
      }

    /** Of the page that shows one. */
    const decisionShown = (name, text) =>
      async function (context) {
        try {
          await decideOne(this, name, await textOf(this, text), context)
        } catch (error) {
          await afterFailure(this, error)
        }
      }

    const offered = (can) => (_context, selected) => selected.some(isAble(can))

    return {
      afterFailure,
      approve: decision('approve', 'canApprove', 'approve'),
      decline: decision('decline', 'canReject', 'reject'),
      snooze: decision('snooze', 'canSnooze', 'snooze'),
      cancel: decision('cancel', 'canCancel', 'cancel'),
      approveShown: decisionShown('approve', 'approve'),
      declineShown: decisionShown('decline', 'reject'),
      snoozeShown: decisionShown('snooze', 'snooze'),
      cancelShown: decisionShown('cancel', 'cancel'),
      canApprove: offered('canApprove'),
      canReject: offered('canReject'),
      canSnooze: offered('canSnooze'),
      canCancel: offered('canCancel'),
    }
  },
)
