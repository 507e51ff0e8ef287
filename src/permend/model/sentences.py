"""Forty sentences as learners and hurried writers leave them: what an export is checked on when nothing else is given.

Every kind of edit is there (articles, prepositions, verbs, spelling, capitals, commas, order, split and joined words),
short and long sentences, quotation marks, numbers, a link, an emoji, and some with nothing wrong.
"""

from __future__ import annotations

SENTENCES: tuple[str, ...] = (
    "He go to school every days.",
    "I has been waiting for you since two hours.",
    "The informations you gave me was very usefull.",
    "Yesterday I have seen a very good film on the cinema with my sister.",
    "Despite of the rain we decided to going out.",
    "she dont like coffee but she like tea",
    "I am looking forward to hear from you soon.",
    "If I would have more time, I will learn to play piano.",
    "There is many people which think that the life in the city is more better.",
    "Their going too the shop because there out of milk.",
    "My brother is the most tall person of our family.",
    "I want that you help me with my home work.",
    "When I arrived at home, my mother has already cooked the dinner.",
    "It depends of the weather wether we can eat outside or not.",
    "The childrens were playing in the garden when suddenly started to rain.",
    "Could you tell me where is the station, please?",
    "I definately recieved you're letter on monday.",
    "We discussed about the problem for a long time, but nobody had the good idea.",
    "Everyone have to do their best for protect the environment.",
    "Last summer we was in Italy, where we visited a lot of interesting places and eat delicious food, and I must say "
    "that it was one of the best holiday of my life.",
    "In my opinion, public transport should be free, because it would reduce the traffic and peoples would not need to "
    "spend so much money for petrol.",
    "Although he was tired but he finished his work.",
    '"I am not sure", she said, "but I think it is to late."',
    "The company, which was founded in 1987 has now more than 3,000 employee in 12 country.",
    "He asked me what did I do at the weekend.",
    "This is the book what I told you about.",
    "I am agree with you, the exam was very difficult.",
    "Please find attach the document you asked for it.",
    "Neither of the answers are right.",
    "You can find more informations on https://example.org/help, or just write to us.",
    "Thank you for your helps 😀, I really appreciate.",
    "I would like to suggest to you to visit our town in spring when is not so hot.",
    "Nowadays, it is imposible to imagine our life without internet: we use it for work, for study and for keep in "
    "touch with the friends who lives far away from us.",
    "Me and my friend was walking on the street, when we heared a loud noise.",
    "All is well.",
    "The meeting starts at nine o'clock, so please be on time.",
    "She has lived in Paris for ten years and still does not speak French.",
    "As far as I know, nobody has ever finished this puzzle in less than an hour.",
    "Because of the strike, our train was late, and we missed the beginning of the concert that we had been looking "
    "forward to for months.",
    "What a beautiful day!",
)
