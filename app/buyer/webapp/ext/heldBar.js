// What is held, at the foot of the window: how much it is, to be undone or to be sent now. It waits while somebody is at it.
sap.ui.define(
  ['sap/m/Button', 'sap/m/HBox', 'sap/m/Text', 'sap/ui/Device', './sums'],
  (Button, HBox, Text, Device, sums) => {
    const NAMES = ['approve', 'decline', 'snooze', 'cancel']
    let parts

    function make(bundle, { undo, send, pause, goOn }) {
      const place = globalThis.document.createElement('div')
      place.className = 'restockHeldBar'
      place.setAttribute('role', 'status')
      globalThis.document.body.append(place)
      for (const event of ['mouseenter', 'focusin']) place.addEventListener(event, pause)
      for (const event of ['mouseleave', 'focusout']) place.addEventListener(event, goOn)
      const text = new Text()
      const items = [
        text,
        new Button({ type: 'Emphasized', text: bundle.getText('heldUndo'), press: undo }),
        new Button({ text: bundle.getText('heldSend'), press: send }),
      ]
      const box = new HBox({ wrap: 'Wrap', alignItems: 'Center', items })
      if (!Device.support.touch) box.addStyleClass('sapUiSizeCompact')
      box.placeAt(place)
      return { place, text }
    }

    /** `12 orders to approve, 4,300 EUR · 1 order to reject` */
    function textOf(bundle, entries) {
      const texts = NAMES.flatMap((name) => {
        const rows = entries.filter((entry) => entry.name === name).flatMap((entry) => entry.rows)
        if (!rows.length) return []
        const key = rows.length === 1 ? 'sumOrder' : 'sumOrders'
        const orders = bundle.getText(key, [sums.whole(rows.length)])
        const money = name === 'approve' ? sums.moneyOf(rows) : ''
        return [bundle.getText(`held-${name}`, [orders, money && `, ${money}`])]
      })
      return texts.join(' · ')
    }

    return {
      show(bundle, entries, handlers) {
        parts ??= make(bundle, handlers)
        const { activeElement } = globalThis.document
        if (!parts.place.contains(activeElement)) parts.before = activeElement
        parts.text.setText(textOf(bundle, entries))
        parts.place.classList.add('shown')
      },
      hide() {
        // Who was in it goes on where they were.
        if (parts?.place.contains(globalThis.document.activeElement)) parts.before?.focus()
        parts?.place.classList.remove('shown')
      },
    }
  },
)
