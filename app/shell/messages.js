// What several calls of a page are refused for, such as a proposal that is gone, is said once.
sap.ui.define(['sap/ui/core/Messaging'], (Messaging) => ({
  mend() {
    const all = Messaging.getMessageModel().bindList('/')
    all.attachChange(() => {
      const told = new Set()
      const again = Messaging.getMessageModel()
        .getData()
        .filter((message) => {
          const said = [message.getType(), message.getMessage(), message.getCode()].join('\n')
          // What stands beside a field or a row is about that one.
          if (!message.getPersistent() || !message.getCode()) return false
          return told.has(said) || !told.add(said)
        })
      if (again.length) Messaging.removeMessages(again)
    })
  },
}))
