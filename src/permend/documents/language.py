"""Whether a sentence is written in another language than the one to correct.

In: a sentence. Out: yes only where there is evidence; a short sentence, or one of names, counts as the language wanted.

>>> is_foreign("Ich habe das Buch gestern in der Schule gelesen.")
True
>>> is_foreign("She said it in German: 'Ich habe das Buch.'"), is_foreign("He go in the scool whit his frend.")
(False, False)
>>> is_foreign("Я читал эту книгу."), is_foreign("Bon appétit!")
(True, False)

Letters of another script decide at once. Otherwise function words do (`FUNCTION_WORDS`), the small words that nearly
every sentence has: those of another language are weighed against those of our own, and a word with letters outside of
ASCII counts a little for the other one. A word that both languages have speaks for neither, so it may stand in both
lists. Learners' errors seldom look like another language's function words, and a few names or quoted words are not
enough.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_SHARE = 0.3  # of the words must be another language's
_FEWEST = 2  # of them
_LEAD = 2.5  # how many times more than words of our own


def is_foreign(text: str, language: str = "en") -> bool:
    """Whether a sentence is clearly not in this language, one of those that `FUNCTION_WORDS` holds."""
    if language not in FUNCTION_WORDS:
        return False
    letters = [character for character in text if character.isalpha()]
    other = sum(not _LATIN.match(letter) for letter in letters)
    if 2 * other > len(letters):
        return True
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    return any(_speaks(words, each, language) for each in FUNCTION_WORDS if each != language)


def _speaks(words: list[str], other: str, own: str) -> bool:
    """Whether words are rather another language's; those that both have speak for neither."""
    mine = sum(word in FUNCTION_WORDS[own] and not _belongs(word, other, 1) for word in words)
    score = sum(
        1 if _belongs(word, other, 2) and word not in FUNCTION_WORDS[own] else 0 if word.isascii() else 0.5
        for word in words
    )
    return score >= max(_FEWEST, _SHARE * len(words), _LEAD * mine)


def _belongs(word: str, language: str, shortest: int) -> bool:
    """Whether a word, or what it begins with (l'amour), is a function word; one letter alone may be an initial."""
    first, apostrophe, _ = word.partition("'")
    return (len(first) >= shortest or bool(apostrophe)) and first in FUNCTION_WORDS[language]


FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": """
            the a an and or but if of to in on at by for with from about into over after before between under as than
            then that this these those there here it its he his him she her they them their we us our you your i my me
            is are was were be been being am do does did done have has had having will would can could shall should may
            might must not no so very too also just only some any all both each other more most such what which who
            whom whose when where why how because while until during through again once up down out off one two
            don't doesn't didn't isn't aren't wasn't can't won't it's i'm i've i'd i'll you're that's there's let's
            people time day year way make go get know think want like see say come take good new first last much many
            every said went made got home school work life thing things man dear please thanks thank hello hi yes
            really always never still well back even now today tomorrow yesterday mr mrs ms
        """,
        "de": """
            der die das den dem des ein eine einen einem einer eines und oder aber wenn weil dass daß ob als wie nicht
            kein keine auch nur noch schon sehr mehr mit von zu zum zur für auf aus bei nach über unter vor durch gegen
            ohne um ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich mein dein sein ist sind war
            waren bin bist hat habe haben hatte wird werden wurde kann können muss müssen soll will möchte was wer wo
            wann warum hier dort dann immer jetzt heute morgen gestern im am vom beim diese dieser dieses jeder alle
            etwas nichts man gut doch mal bitte
        """,
        "fr": """
            le la les l un une des du de d et ou mais donc car si que qu qui quoi dont où ne pas plus jamais rien je j
            tu il elle on nous vous ils elles me te se m t s moi toi lui leur leurs eux mon ma mes ton ta tes son sa ses
            notre nos votre vos ce c cet cette ces ça cela est sont était étaient suis es sommes êtes être ai as a
            avons avez ont avoir avait fait faire peut dans sur sous avec sans pour par chez entre vers en y au aux
            comme très bien aussi tout tous toute toutes même encore déjà quand comment pourquoi parce n alors puis oui
        """,
        "es": """
            el la los las un una unos unas de del y e o u pero sino si que qué quien quién cual cuál como cómo cuando
            cuándo donde dónde porque por para con sin sobre entre hasta desde en al a no sí ni muy más menos también
            ya yo tú él ella nosotros ustedes ellos ellas me te se le les lo nos mi mis tu tus su sus este esta estos
            estas ese esa eso esto es son era eran soy eres somos fue ser estar está están estoy hay ha han he hemos
            tiene tengo hace hacer puede todo todos toda nada algo siempre nunca hoy ayer mañana bien
        """,
        "it": """
            il lo la i gli le un uno una di del dello della dei degli delle da dal dalla in nel nella nei nelle su sul
            sulla con per tra fra e ed o ma se che chi cui cosa come quando dove perché non più molto anche solo già
            ancora sempre mai io tu lui lei noi voi loro mi ti si ci vi mio mia tuo suo sua questo questa questi quello
            quella è sono era erano sei siamo essere ho hai ha abbiamo hanno avere fatto fare può al alla ai alle
            tutto tutti tutta niente oggi ieri domani bene così dal allo
        """,
        "pt": """
            o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela para com sem sobre entre até e ou
            mas se que quem qual como quando onde porque não sim muito mais menos também já ainda sempre nunca eu tu ele
            ela nós vocês você eles elas me te lhe meu minha teu seu sua seus suas este esta isto esse essa isso é são
            era eram sou foi ser estar está estão estou há tem tenho têm faz fazer pode tudo todos nada hoje ontem
            amanhã bem ao à aos
        """,
        "nl": """
            de het een en of maar als dat die dit deze wat wie waar wanneer waarom hoe niet geen ook nog wel al zeer
            meer met van naar voor op uit bij na over onder tegen zonder om te ik jij je hij zij ze wij we jullie u mij
            hem haar ons hun mijn jouw zijn is was waren ben bent heeft heb hebben had wordt worden werd kan kunnen moet
            zal zou wil er hier daar dan toen altijd nu vandaag gisteren morgen iets niets alle veel goed
        """,
        "sv": """
            och att det som en ett är var har hade inte på för med av till från om men eller när där här hur vad vem
            varför jag du han hon vi ni de dem den mig dig sig oss min mitt din sin ska skulle kan kunde måste vill blir
            blev bara också mycket mer alla något ingen så nu idag igår i efter över under mot utan än
        """,
        "da": """
            og at det som en et er var har havde ikke på for med af til fra om men eller når hvor her hvordan hvad hvem
            hvorfor jeg du han hun vi de dem den mig dig sig os min mit din sin skal skulle kan kunne må vil bliver blev
            kun også meget mere alle noget ingen så nu i efter over under mod uden end der jeg har være norge norsk
        """,
        "pl": """
            i w z na do nie się to że jest jak ale o po co za od przez dla czy tak już tylko jego jej ich mnie mi ja ty
            on ona my wy oni był była było są być mam ma mają może bardzo też także ten ta te tego tej który która które
            kiedy gdzie dlaczego ponieważ jeszcze zawsze nigdy dzisiaj wczoraj jutro u we ze przy przed pod nad bez
        """,
        "cs": """
            a v na se že je to s z do o i k pro ale jak by už co když jsem jsi jsme jste jsou byl byla bylo být ten ta
            ty který která které tak také jen jeho její jejich mě mi já on ona my vy oni není mám má mají může velmi kde
            proč protože ještě vždy nikdy dnes včera zítra po za od u při před pod nad bez nebo
        """,
        "tr": """
            ve bir bu da de için ile ama çok ne daha gibi kadar sonra önce ben sen o biz siz onlar beni seni onu bana
            sana ona benim senin onun var yok değil mi mı mu mü ki her şey olan olarak oldu olduğu ise ya nasıl neden
            nerede şimdi bugün dün yarın hiç en diye bunu şu
        """,
        "id": """
            yang dan di ke dari untuk dengan tidak ini itu adalah saya kamu anda dia kami kita mereka akan sudah telah
            belum bisa dapat ada pada dalam oleh karena juga atau tetapi jika sangat lebih apa siapa mana kapan mengapa
            bagaimana hari seorang sebuah para seperti hanya
        """,
        "fi": """
            ja on ei se että en hän oli olen ovat mutta kun niin kuin myös tai jos minä sinä me te he minun sinun hänen
            tämä tuo nämä ne joka jotka mitä missä miksi miten nyt vain sitten vielä aina ole ollut ovat koska kanssa
            hyvin paljon
        """,
    }.items()
}
"""Function words by language."""
