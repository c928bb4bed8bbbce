// Shows a new secret once, in a dialog from which it can be copied.
sap.ui.define(
  [
    'sap/m/Button',
    'sap/m/Dialog',
    'sap/m/Label',
    'sap/m/MessageStrip',
    'sap/m/MessageToast',
    'sap/m/Text',
    'sap/m/TextArea',
    'sap/m/VBox',
  ],
  (Button, Dialog, Label, MessageStrip, MessageToast, Text, TextArea, VBox) =>
    /**
     * @param {{title: string, secret: string, note?: string}} shown
     * @param {(key: string) => string} text
     * @returns {Promise<void>} until the dialog is closed
     */
    ({ title, secret, note }, text) =>
      new Promise((resolve) => {
        const field = new TextArea({ value: secret, editable: false, rows: 2, width: '100%' })
        const copy = async () => {
          await navigator.clipboard.writeText(secret)
          MessageToast.show(text('copied'))
        }
        const content = [
          new MessageStrip({ text: text('onceText'), type: 'Warning', showIcon: true }),
          new Label({ text: text('onceLabel'), labelFor: field }).addStyleClass(
            'sapUiSmallMarginTop',
          ),
          field,
          ...(note ? [new Text({ text: note }).addStyleClass('sapUiSmallMarginTop')] : []),
        ]
        const dialog = new Dialog({
          title,
          contentWidth: '34rem',
          content: new VBox({ items: content }),
          initialFocus: field,
          beginButton: new Button({ text: text('copy'), type: 'Emphasized', press: copy }),
          endButton: new Button({ text: text('close'), press: () => dialog.close() }),
          afterClose: () => {
            dialog.destroy()
            resolve()
          },
        }).addStyleClass('sapUiContentPadding')
        dialog.open()
      }),
)
