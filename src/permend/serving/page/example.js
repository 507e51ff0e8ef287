/** A letter to try permend with; it was written for this page. */
export const EXAMPLE = `Dear Ms Alvarez,

Thank you for your quick answer. Last week we has moved into the new office, and most of the boxes is still unpacked. The owner explained me the rules of the house, and my colleagues love the garden behind it.

However I would like to discuss about the contract with you on monday. We have recieved three offers, but non of them include the delivery. Could you please send me informations about your prices?

If it suits you, we could meet in a café near the station. I am looking forward to hear from you soon.

Yours sincerely,
Tom
`
