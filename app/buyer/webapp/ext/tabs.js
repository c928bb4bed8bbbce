// What is decided in one tab is seen in the others.
sap.ui.define([], () => {
  const channel = new globalThis.BroadcastChannel('restock.buyer.decided')

  return {
    tell: () => channel.postMessage(null),

    /** Reads all that is shown anew once another tab has decided. */
    follow(model) {
      // A field that is being changed is not read anew under the person's hands.
      channel.onmessage = () => model.hasPendingChanges() || model.refresh()
    },
  }
})
